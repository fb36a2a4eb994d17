import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type StartedProgram, startProgram } from '@kerf/control-plane'
import { root } from '../../../tools/source-files.ts'

/**
 * The version to upgrade from until there is a release: the last commit before Cluster API was added. It lacks that custom resource, its
 * roles, and the setting for the cost of a node. It computes limits from what NodeClaims contain.
 */
const BEFORE_THE_FIRST_RELEASE = 'd1dc312b63ef9f237ff472fc0a133dc0e0110e57'

const git = (...args: readonly string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/**
 * Returns the commit from which an upgrade starts: the last tag, or `BEFORE_THE_FIRST_RELEASE`. Returns undefined if the Git history is
 * missing.
 */
export const olderCommit = (): string | undefined => {
  const tagged = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^')
  return git('rev-parse', '--verify', '--quiet', `${tagged ?? BEFORE_THE_FIRST_RELEASE}^{commit}`)
}

const readJson = (file: string): Readonly<Record<string, unknown>> => JSON.parse(readFileSync(file, 'utf8'))

/** Returns the folders of the workspaces that the package file of a checkout lists. */
const workspaceFolders = (checkout: string): readonly string[] =>
  (readJson(join(checkout, 'package.json'))['workspaces'] as readonly string[]).flatMap((pattern) =>
    globSync(`${pattern}/package.json`, { cwd: checkout }).map((file) => join(checkout, dirname(file))),
  )

/** An earlier version of Kerf, with its own sources and its own charts. Third-party packages are the current ones. */
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
    // Creates a link for each workspace under the workspace's package name, like npm.
    for (const folder of workspaceFolders(directory))
      symlinkSync(folder, join(modules, String(readJson(join(folder, 'package.json'))['name'])))
    return new OlderKerf(directory)
  }

  chart(name: 'karpenter' | 'karpenter-crd'): string {
    return this.#existing(join('deploy', 'charts', name), join('charts', name))
  }

  /** Returns the output of `kerf crds`. */
  definitions(): string {
    const args = ['--disable-warning=ExperimentalWarning', this.#main(), 'crds']
    return execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  }

  /** Runs `kerf run`, as its image does. */
  run(env: Readonly<Record<string, string>>): StartedProgram {
    return startProgram(process.execPath, ['--disable-warning=ExperimentalWarning', this.#main(), 'run'], { env })
  }

  #main(): string {
    const file = join('cli', 'src', 'main.ts')
    return this.#existing(join('packages', file), file)
  }

  /** Returns the first of these paths that exists in the older Kerf, whose files may be in other folders. */
  #existing(...paths: readonly string[]): string {
    const found = paths.map((path) => join(this.#directory, path)).find((path) => existsSync(path))
    if (found === undefined) throw new Error(`the older Kerf has none of ${paths.join(', ')}`)
    return found
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
