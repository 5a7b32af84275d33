/** The tokens of the shop, without its fonts: the page reaches nothing else. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--paper:#fbf9f4;--surface:#fff;--ink:#14231b;--quiet:#4a5a50;--line:#ddd8cc;--hedge:#1e5b3f;--on-hedge:#fff;--berry:#a32a25}
@media(prefers-color-scheme:dark){:root{--paper:#0f1713;--surface:#17221c;--ink:#ecefe8;--quiet:#a9b5ac;--line:#2b3a32;--hedge:#7fc7a0;--on-hedge:#0f1713;--berry:#f0857e}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:24px 16px;background:var(--paper);color:var(--ink);font:17px/1.55 "Instrument Sans",system-ui,sans-serif}
main{width:100%;max-width:464px;background:var(--surface);border:1px solid var(--line);border-radius:12px}
header{display:flex;justify-content:space-between;align-items:center;gap:16px;padding:16px 24px;border-bottom:2px dashed var(--line)}
header p{margin:0;font-weight:600;overflow-wrap:anywhere}
.stamp{flex:none;padding:2px 10px;border:2px solid var(--berry);border-radius:8px;color:var(--berry);font-size:14px;font-weight:600;letter-spacing:.06em;transform:rotate(-4deg)}
.good{border-color:var(--hedge);color:var(--hedge);transform:none}
section{padding:24px}
h1{margin:0 0 16px;font:600 28px/1.2 Fraunces,Georgia,"Times New Roman",serif;text-wrap:balance}
p{margin:0 0 16px}
ol{margin:0 0 24px;padding-left:24px}
li{margin-bottom:8px;padding-left:4px}
a{display:block;padding:12px 24px;border-radius:8px;background:var(--hedge);color:var(--on-hedge);font-weight:600;text-align:center;text-decoration:none}
a:hover{text-decoration:underline}
a:focus-visible{outline:3px solid var(--hedge);outline-offset:3px}
.plain{display:inline;padding:0;background:none;color:var(--hedge);text-decoration:underline;overflow-wrap:anywhere}
.quiet{margin:16px 0 0;color:var(--quiet);font-size:14px;overflow-wrap:anywhere}
`
