/** Whole fonts of the scripts that the shop's own typeface lacks, for what customers are called and where they live. */
export const SCRIPT_FILES = {
  arabic: '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
  hebrew: '@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf',
  armenian: '@expo-google-fonts/noto-sans-armenian/400Regular/NotoSansArmenian_400Regular.ttf',
  georgian: '@expo-google-fonts/noto-sans-georgian/400Regular/NotoSansGeorgian_400Regular.ttf',
  thai: '@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf',
  bengali: '@expo-google-fonts/noto-sans-bengali/400Regular/NotoSansBengali_400Regular.ttf',
  tamil: '@expo-google-fonts/noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf',
  japanese: '@expo-google-fonts/sawarabi-gothic/400Regular/SawarabiGothic_400Regular.ttf',
  chinese: '@expo-google-fonts/zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular.ttf',
  korean: '@expo-google-fonts/gowun-dodum/400Regular/GowunDodum_400Regular.ttf',
} as const

export type ScriptFace = keyof typeof SCRIPT_FILES

/** Which faces may have what is written in a script, the likeliest first: no other is read from the disk for it. */
const FACES_OF: readonly (readonly [script: RegExp, faces: readonly ScriptFace[]])[] = [
  [/\p{Script_Extensions=Arabic}/u, ['arabic']],
  [/\p{Script_Extensions=Hebrew}/u, ['hebrew']],
  [/\p{Script_Extensions=Armenian}/u, ['armenian']],
  [/\p{Script_Extensions=Georgian}/u, ['georgian']],
  [/\p{Script_Extensions=Thai}/u, ['thai']],
  [/\p{Script_Extensions=Bengali}/u, ['bengali']],
  [/\p{Script_Extensions=Tamil}/u, ['tamil']],
  [/[\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}]/u, ['japanese']],
  [/\p{Script_Extensions=Han}/u, ['japanese', 'chinese']],
  [/\p{Script_Extensions=Hangul}/u, ['korean']],
]

export const scriptFacesFor = (letters: string): readonly ScriptFace[] =>
  FACES_OF.find(([script]) => script.test(letters))?.[1] ?? []
