import { spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SECRET_VARIABLES } from '@hedgerow/api/secret-files'
import { describe, expect, onTestFinished, test } from 'vitest'

const SCRIPT = readFileSync(fileURLToPath(new URL('../deploy/install-shop.sh', import.meta.url)), 'utf8')
/** All of it but the last line, which begins. */
const PARTS = SCRIPT.trimEnd().split('\n').slice(0, -1).join('\n')

const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-install-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Runs lines with the script's parts, in a folder of their own that is its `work`. */
const run = (lines: string, folder = aFolder(), env: Record<string, string> = {}) => {
  const text = `${PARTS}\nwork='${folder}' record='${folder}/installed' changed='' release_key=''\n${lines}\n`
  const { stdout, stderr, status } = spawnSync('sh', ['-s'], {
    input: text,
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, ...env },
  })
  return { said: stdout.trimEnd(), refused: stderr.trim(), status, folder }
}

describe('the installation of a shop', () => {
  test('does nothing where only a part of it arrived', () => {
    const { said, refused, status } = run('')
    expect([said, refused, status]).toEqual(['', '', 0])
  })

  test('keeps each secret that the shop reads from a file in one', () => {
    const [, names] = /^SECRETS='(.*)'$/m.exec(SCRIPT) ?? []
    expect(names?.split(' ')).toEqual(SECRET_VARIABLES)
  })

  test.each(['plain', 'two words', `it's "so"`, 'a\\b$c`d', '$(touch x)', 'a=b#c', "'x'", 'ü'])(
    'writes %s into the settings so that it and the shell read the same',
    (value) => {
      const { said, folder } = run(
        'line_of NAME "$VALUE" >file\nvalue_in file NAME\n(. ./file && printf "%s\\n" "$NAME")',
        aFolder(),
        { VALUE: value },
      )
      expect(said.split('\n')).toEqual([value, value])
      expect(existsSync(join(folder, 'x'))).toBe(false)
    },
  )

  test('reads values as operators write them, and executes none', () => {
    const folder = aFolder()
    writeFileSync(join(folder, 'file'), `# A=0\nA=1\n B='two words' \nC="x"\nA=$(touch x)\nAB=3\n`)
    expect(run('for name in A B C D; do value_in file $name; done', folder).said).toBe(
      '$(touch x)\ntwo words\nx',
    )
    expect(existsSync(join(folder, 'x'))).toBe(false)
  })
})

test.each([
  ['as the script writes it', 'A="two words"', ''],
  ['of one word', "# b c\n\n A=smtps://a:b@c.example:465/?d=e\nB='$x'\nC=", ''],
  ['without quotes around blanks', 'A=1\nA=two words', '2'],
  ['with what a shell would execute', 'A=smtps://a:b&c@d', '1'],
  ['that is unfinished', 'A="b', '1'],
  ['with a variable', 'A="b$c"', '1'],
  ['that is no setting', 'touch x', '1'],
])('a setting %s is told from what systemd and the shell read differently', (_, lines, wrong) => {
  expect(run('printf "%s\\n" "$LINES_" >file\nline_read_twice file', aFolder(), { LINES_: lines }).said).toBe(
    wrong,
  )
})

test('a secret in a file of the operator’s own is read there, and not drawn a second time', () => {
  const { said } = run(`etc=$PWD settings=$PWD/env given=$PWD/given; mkdir secrets; : >given; echo here >key
    line_of KEY_ENCRYPTION_KEY_FILE "$PWD/key" >env; before=$(cat env)
    setting KEY_ENCRYPTION_KEY; settle KEY_ENCRYPTION_KEY another; ls secrets; [ "$(cat env)" = "$before" ] && echo " as before"`)
  expect(said).toBe('here as before')
})

test('a question is asked until its answer looks like one', () => {
  const folder = aFolder()
  const ask = `ask PUBLIC_URL Where? '' "$address"; ask OPERATOR_EMAIL Whom? ada@shop.example "$mailbox"; cat given`
  writeFileSync(
    join(folder, 'ask.sh'),
    `${PARTS}\nsettings=env given=given is_unattended=no; : >given\n${ask}\n`,
  )
  const { stdout } = spawnSync('script', ['-qec', 'sh ask.sh', '/dev/null'], {
    cwd: folder,
    input: '\nshop.example\nhttps://shop.example\n\n',
    encoding: 'utf8',
  })
  expect(stdout.match(/That will not do/g)).toHaveLength(2)
  expect(stdout.replaceAll('\r', '')).toContain(
    'PUBLIC_URL="https://shop.example"\nOPERATOR_EMAIL="ada@shop.example"\n',
  )
})

test('the tool tells the shop who called it, and from which folder', () => {
  const { said, folder } = run(`tool=$PWD/tool; put_tool >/dev/null; : >env
    sed -e "s,/etc/hedgerow/hedgerow.env,$PWD/env," -e "s,cd /opt/hedgerow,cd /," -e '/id -u/d' -e 's/^exec .*/printenv INIT_CWD HEDGEROW_OPERATOR/' tool >changed
    SUDO_USER=ada sh changed`)
  expect(said.split('\n')).toEqual([folder, 'ada'])
})

test('a shop that runs an earlier version is told from one that runs this', () => {
  const { said } = run(`mkdir bin; cp "$(command -v sleep)" bin/node
    bin/node 60 >/dev/null & pid=$!
    systemctl() { echo "$pid"; }
    until [ "$(readlink /proc/$pid/exe)" = "$PWD/bin/node" ]; do sleep 0.1; done
    for target in "$PWD" /opt/hedgerow-0.9; do runs_target hedgerow.service && echo yes || echo no; done
    kill "$pid"`)
  expect(said).toBe('yes\nno')
})

test('an installation goes on alone', () => {
  const { said, refused, status } = run('lock=lock\none_at_a_time\necho one\n(one_at_a_time; echo two)')
  expect([said, status]).toEqual(['one', 1])
  expect(refused).toContain('running already')
})

describe('what is installed', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

  const aRelease = (signed = privateKey) => {
    const folder = aFolder()
    writeFileSync(join(folder, 'a.tar.gz'), 'the archive')
    const sums = `${createHash('sha256').update('the archive').digest('hex')}  a.tar.gz\n`
    writeFileSync(join(folder, 'SHA256SUMS'), sums)
    writeFileSync(
      join(folder, 'SHA256SUMS.sig'),
      `${sign(null, Buffer.from(sums), signed).toString('base64')}\n`,
    )
    return folder
  }
  const verified = (folder: string, given = key) =>
    run(`folder=. release_key='${given}'\nverify a.tar.gz && echo verified`, folder)

  test('is what was signed', () => {
    expect(verified(aRelease()).said).toBe('The signature is right.\nverified')
  })

  test.each([
    ['by another key', aReleaseOfAnother, /is not of that release key/],
    ['without a signature', withoutSignature, /was not signed/],
    ['with another archive', withAnotherArchive, /a\.tar\.gz is not the one of SHA256SUMS/],
    ['that does not name the archive', withoutName, /does not name a\.tar\.gz/],
  ])('is no release %s', (_, make, words) => {
    const { refused, said, status } = verified(make())
    expect(refused).toMatch(words)
    expect(said).not.toContain('verified')
    expect(status).toBe(1)
  })

  function aReleaseOfAnother() {
    return aRelease(generateKeyPairSync('ed25519').privateKey)
  }
  function withoutSignature() {
    const folder = aRelease()
    rmSync(join(folder, 'SHA256SUMS.sig'))
    return folder
  }
  function withAnotherArchive() {
    const folder = aRelease()
    writeFileSync(join(folder, 'a.tar.gz'), 'another')
    return folder
  }
  function withoutName() {
    const folder = aRelease()
    const sums = `${'0'.repeat(64)}  a-tar.gz\n`
    writeFileSync(join(folder, 'SHA256SUMS'), sums)
    writeFileSync(
      join(folder, 'SHA256SUMS.sig'),
      sign(null, Buffer.from(sums), privateKey).toString('base64'),
    )
    return folder
  }
})

describe('a file of the machine', () => {
  const put = (text: string, folder: string) =>
    run(`echo '${text}' >given\nput "${folder}/unit" 0640 <given\necho "changed:$changed"`, folder)

  test('is written once, and again where a release brings another', () => {
    const folder = aFolder()
    expect(put('one', folder).said).toContain(`changed: ${folder}/unit`)
    expect(statSync(join(folder, 'unit')).mode & 0o777).toBe(0o640)
    expect(put('one', folder).said).toBe('changed:')
    expect(put('two', folder).said).toContain(`changed: ${folder}/unit`)
    expect(readFileSync(join(folder, 'unit'), 'utf8')).toBe('two\n')
  })

  test('that was changed by hand stays, with a new one beside it', () => {
    const folder = aFolder()
    put('one', folder)
    writeFileSync(join(folder, 'unit'), 'mine\n')
    expect(put('one', folder)).toMatchObject({ said: 'changed:', refused: '' })
    expect(put('two', folder).refused).toMatch(/was changed by hand and stays/)
    expect(readFileSync(join(folder, 'unit'), 'utf8')).toBe('mine\n')
    expect(readFileSync(join(folder, 'unit.new'), 'utf8')).toBe('two\n')
  })

  test('that somebody else had put there is kept beside it', () => {
    const folder = aFolder()
    writeFileSync(join(folder, 'unit'), 'theirs\n')
    put('one', folder)
    expect(readFileSync(join(folder, 'unit'), 'utf8')).toBe('one\n')
    expect(readFileSync(join(folder, 'unit.before'), 'utf8')).toBe('theirs\n')
  })
})
