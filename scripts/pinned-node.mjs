// Plain JavaScript for whatever Node is installed (20 or newer): finds the pinned Node and starts TypeScript with it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')
export const pinnedNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/**
 * @param {string} file
 * @returns {Readonly<Record<string, {version?: string, link?: boolean, optional?: boolean, devOptional?: boolean}>> | undefined}
 */
const lockedPackages = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/**
 * Whether everything that a folder's lock file names is there in its version. Dates would not do: git and npm both touch the
 * files.
 * @param {string} folder
 */
export const isInstalled = (folder) => {
  const there = lockedPackages(join(folder, 'node_modules', '.package-lock.json'))
  const wanted = lockedPackages(join(folder, 'package-lock.json'))
  if (there === undefined || wanted === undefined) return false
  return Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
    // Optional ones are for other platforms, mostly.
    if (!path.startsWith('node_modules/') || optional === true || devOptional === true) return true
    const found = there[path]
    return found !== undefined && found.version === version
  })
}

/** Installs the locked dependencies when some are missing or of another version. Prints only when it works or fails. */
export const ensureInstalled = () => {
  if (existsSync(pinnedNode) && isInstalled(root)) return
  process.stderr.write('Installing dependencies (npm ci, once per change of package-lock.json) …\n')
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) {
    process.stderr.write(
      'kerf: npm ci failed; see the lines above. Check the network and the registry, then try again.\n',
    )
    process.exit(1)
  }
  if (!existsSync(pinnedNode)) {
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'node', 'package.json'), 'utf8'))
    process.stderr.write(
      `kerf: the pinned Node ${version} was not installed: its install script did not run. Allow it with: npm rebuild node\n`,
    )
    process.exit(1)
  }
}

/**
 * Runs a TypeScript file with the pinned Node, as if it were this process: same standard streams, signals passed on, same exit code.
 * @param {string} file relative to the repository
 * @param {readonly string[]} args
 */
export const runPinned = (file, args) => {
  const child = spawn(pinnedNode, ['--disable-warning=ExperimentalWarning', join(root, file), ...args], {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${bin}${process.platform === 'win32' ? ';' : ':'}${process.env['PATH'] ?? ''}` },
  })
  // A terminal sends Ctrl-C to the whole group; the child decides when to end, and this process must outlive it.
  const forward = (signal) => {
    if (!process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => forward(signal))
  child.on('error', (error) => {
    process.stderr.write(`kerf: cannot start the pinned Node: ${error.message}. Remedy: npm ci\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal !== null) process.exit(128 + ({ SIGINT: 2, SIGTERM: 15, SIGKILL: 9, SIGHUP: 1 }[signal] ?? 1))
    process.exit(code ?? 1)
  })
}
