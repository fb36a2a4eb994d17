import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProgram } from '@kerf/control-plane'
import { shellWord } from '../../../packages/cli/src/terminal/shell-word.ts'
import { compileCache } from '../story/start-kerf.ts'
import type { GuideStep } from './guide-steps.ts'

const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** The command that runs a script of the repository. */
export const node = [process.execPath, '--disable-warning=ExperimentalWarning']

/** The programs that a guide uses, with the command that runs for each. */
export type Programs = Readonly<Record<string, readonly string[]>>

/**
 * Simulates a reader's terminal: a bash whose variables persist between blocks, in an empty directory with the charts of the repository.
 * Only the programs that the guide requires are available.
 */
export class GuideShell {
  readonly directory = mkdtempSync(join(tmpdir(), 'kerf guide '))
  readonly #env: Readonly<Record<string, string>>
  readonly #done = new Set<string>()

  /** @param paths folders of the home directory that are on the reader's PATH */
  constructor(programs: Programs, env: Readonly<Record<string, string>>, paths: readonly string[] = []) {
    const bin = join(this.directory, '.bin')
    mkdirSync(bin)
    for (const [name, command] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command.map(shellWord).join(' ')} "$@"\n`)
      chmodSync(join(bin, name), 0o755)
    }
    for (const name of ['deploy', 'examples']) symlinkSync(join(repository, name), join(this.directory, name))
    this.#env = {
      ...compileCache(),
      ...env,
      PATH: [bin, ...paths.map((path) => join(this.directory, path)), '/usr/bin', '/bin'].join(':'),
      HOME: this.directory,
      LC_ALL: 'C.UTF-8',
    }
  }

  /**
   * Runs a block exactly as in the guide. Stops at the first command that fails.
   * @returns its standard output
   * @throws Error with the block's heading and its whole output
   */
  async run({ heading, commands }: GuideStep, limitSeconds = 240): Promise<string> {
    const state = join(this.directory, '.variables')
    const script = [
      existsSync(state) ? `. ${shellWord(state)}` : '',
      'set -eo pipefail',
      commands,
      `declare -p | grep -E '^declare -(x|-) [A-Za-z][A-Za-z_]*=' | grep -vE ' (BASH|SHELL|DIRSTACK|GROUPS|UID|EUID|PPID|PATH|PWD|OLDPWD|SHLVL|_)' > ${shellWord(state)} || true`,
    ].join('\n')
    // The block gets its own process group, so that programs it started end with it.
    const block = startProgram('/bin/bash', ['-c', script], {
      cwd: this.directory,
      env: this.#env,
      detached: true,
    })
    let isLate = false
    const limit = setTimeout(() => {
      isLate = true
      if (block.child.pid !== undefined) process.kill(-block.child.pid, 'SIGKILL')
    }, limitSeconds * 1_000)
    const { code, stdout } = await block.ended
    clearTimeout(limit)
    if (code !== 0) {
      const why = isLate ? `was not finished within ${limitSeconds} s` : `ended with ${String(code)}`
      throw new Error(`"${heading}" ${why}:\n${commands}\n${block.output}`)
    }
    this.#done.add(commands)
    return stdout
  }

  /** Returns the blocks that did not run completely in this shell. */
  unrun(steps: readonly GuideStep[]): readonly GuideStep[] {
    return steps.filter(({ commands }) => !this.#done.has(commands))
  }

  close(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}
