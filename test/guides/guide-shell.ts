import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shellWord } from '../../cli/src/terminal/shell-word.ts'
import type { GuideStep } from './guide-steps.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** What runs a script of the repository, and what runs `kerf`. */
export const node = [process.execPath, '--disable-warning=ExperimentalWarning']
export const kerf = [...node, join(repository, 'cli/src/main.ts')]

/** A program that the guide names, and what is run for it. */
export type Programs = Readonly<Record<string, readonly string[]>>

/**
 * A reader's terminal: a bash whose variables live from block to block, in an empty directory that holds the
 * repository's charts, with only the programs that the guide says are needed.
 */
export class GuideShell {
  readonly directory = mkdtempSync(join(tmpdir(), 'kerf guide '))
  readonly #env: Readonly<Record<string, string>>

  constructor(programs: Programs, env: Readonly<Record<string, string>>) {
    const bin = join(this.directory, '.bin')
    mkdirSync(bin)
    for (const [name, command] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command.map(shellWord).join(' ')} "$@"\n`)
      chmodSync(join(bin, name), 0o755)
    }
    for (const name of ['charts', 'examples']) symlinkSync(join(repository, name), join(this.directory, name))
    this.#env = { ...env, PATH: `${bin}:/usr/bin:/bin`, HOME: this.directory, LC_ALL: 'C.UTF-8' }
  }

  /**
   * Runs a block as it stands in the guide; the first command that fails ends it.
   * @returns what it wrote to its output
   * @throws Error with the block's heading and everything that it wrote
   */
  async run({ heading, commands }: GuideStep, limitSeconds = 240): Promise<string> {
    const state = join(this.directory, '.variables')
    const script = [
      existsSync(state) ? `. ${shellWord(state)}` : '',
      'set -eo pipefail',
      commands,
      `declare -p | grep -E '^declare -(x|-) [A-Za-z][A-Za-z_]*=' | grep -vE ' (BASH|SHELL|DIRSTACK|GROUPS|UID|EUID|PPID|PATH|PWD|OLDPWD|SHLVL|_)' > ${shellWord(state)} || true`,
    ].join('\n')
    const child = spawn('/bin/bash', ['-c', script], {
      cwd: this.directory,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let stdout = ''
    let both = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      both += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      both += text
    })
    const limit = setTimeout(() => {
      both += `\nstopped: not finished within ${limitSeconds} s\n`
      // The group: what the block started ends with it.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, limitSeconds * 1_000)
    const [code] = await once(child, 'close')
    clearTimeout(limit)
    if (code !== 0) throw new Error(`"${heading}" ended with ${String(code)}:\n${commands}\n${both}`)
    return stdout
  }

  close(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}
