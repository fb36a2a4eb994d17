import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StartedProgram, startProgram } from '@kerf/control-plane'
import { root } from '../../../tools/source-files.ts'

/**
 * A substitute for the last release until there is one: the last commit before Cluster API. It lacks the custom resource, the roles and the
 * setting for the cost of a node, and its limits count what NodeClaims contain.
 */
const BEFORE_THE_FIRST_RELEASE = 'd1dc312b63ef9f237ff472fc0a133dc0e0110e57'

const git = (...args: readonly string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Returns the commit that an upgrade starts from: the last tag, or the commit above. Returns undefined without the history. */
export const olderCommit = (): string | undefined => {
  const tagged = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^')
  return git('rev-parse', '--verify', '--quiet', `${tagged ?? BEFORE_THE_FIRST_RELEASE}^{commit}`)
}

/** An earlier Kerf, from its own sources and with its own charts. Only third-party packages are the current ones. */
export class OlderKerf {
  readonly #directory: string

  private constructor(directory: string) {
    this.#directory = directory
  }

  static checkOut(commit: string): OlderKerf {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'kerf-older-')))
    const archive = join(directory, 'sources.tar')
    execFileSync('git', ['-C', root, 'archive', '--output', archive, commit])
    execFileSync('tar', ['-x', '-f', archive, '-C', directory])
    const modules = join(directory, 'node_modules')
    mkdirSync(join(modules, '@kerf'), { recursive: true })
    for (const name of readdirSync(join(root, 'node_modules')))
      if (!name.startsWith('.') && name !== '@kerf') symlinkSync(join(root, 'node_modules', name), join(modules, name))
    // npm links each workspace by its name. Links to workspaces that the older Kerf lacks are broken, but nothing imports them.
    for (const name of readdirSync(join(root, 'node_modules', '@kerf'))) {
      const today = realpathSync(join(root, 'node_modules', '@kerf', name))
      symlinkSync(join(directory, today.slice(root.length)), join(modules, '@kerf', name))
    }
    return new OlderKerf(directory)
  }

  chart(name: 'karpenter' | 'karpenter-crd'): string {
    return join(this.#directory, 'charts', name)
  }

  /** Returns the text of a file in `deploy/manifests/kwok`. */
  manifest(name: string): string {
    return readFileSync(join(this.#directory, 'manifests', 'kwok', name), 'utf8')
  }

  /** Runs `kerf run`, as its image does. */
  run(env: Readonly<Record<string, string>>): StartedProgram {
    const main = join(this.#directory, 'cli', 'src', 'main.ts')
    return startProgram(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'run'], { env })
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
