// Plain JavaScript that runs on any installed Node.js (20 or newer). It finds the pinned Node.js and runs TypeScript with it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')
/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
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
 * Whether every package in a folder's lock file is installed in the locked version. Comparing dates would not work, because both git and
 * npm change the dates of files.
 * @param {string} folder
 */
export const isInstalled = (folder) => {
  const there = lockedPackages(join(folder, 'node_modules', '.package-lock.json'))
  const wanted = lockedPackages(join(folder, 'package-lock.json'))
  if (there === undefined || wanted === undefined) return false
  return Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
    // Optional packages are skipped, because most of them are for other platforms.
    if (!path.startsWith('node_modules/') || optional === true || devOptional === true) return true
    const found = there[path]
    return found !== undefined && found.version === version
  })
}

/** @param {string} version */
const majorOf = (version) => Number.parseInt(version, 10)

/** The version that package.json pins. */
const pinnedVersion = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.node

/** Whether this Node.js can run Kerf's sources, which means that its major version is at least that of the pinned one. */
const isNewEnough = () => majorOf(process.versions.node) >= majorOf(pinnedVersion())

/** @param {string} problem @param {string} remedy */
const fail = (problem, remedy) => {
  const major = majorOf(pinnedVersion())
  process.stderr.write(
    `kerf: ${problem} ${remedy}, or use Node ${major} or newer (this is ${process.versions.node}), or kerf.mjs of a release, which any Node from 20 on runs.\n`,
  )
  process.exit(1)
}

/**
 * Installs the locked dependencies if any are missing or have another version. Prints nothing unless it installs something or fails. If the
 * pinned Node.js is missing, that is not an error as long as the running Node.js is new enough.
 */
export const ensureInstalled = () => {
  if (!isInstalled(root)) {
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
  }
  if (!existsSync(pinnedNode) && !isNewEnough()) {
    fail(
      `the pinned Node ${pinnedVersion()} is not there: npm did not run its install script (ignore-scripts).`,
      'Allow this one with: npm rebuild node --ignore-scripts=false',
    )
  }
}

/**
 * Runs a TypeScript file with the pinned Node.js, as if it were this process: with the same standard streams and exit code, and forwarding
 * signals. If the pinned Node.js is missing or does not start (it is built for glibc), the running Node.js is used if it is new enough.
 * @param {string} file relative to the repository
 * @param {readonly string[]} args
 */
export const runPinned = (file, args) => start(existsSync(pinnedNode) ? pinnedNode : process.execPath, file, args)

/**
 * @param {string} node
 * @param {string} file
 * @param {readonly string[]} args
 */
const start = (node, file, args) => {
  // Programs that the child process starts as `node` use the same Node.js.
  const folders = [...(node === pinnedNode ? [] : [dirname(node)]), bin, process.env['PATH'] ?? '']
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', join(root, file), ...args], {
    stdio: 'inherit',
    env: { ...process.env, PATH: folders.join(delimiter) },
  })
  // A terminal sends Ctrl-C to all processes of the group. The child process decides when to end, and this process must end after it.
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    if (!process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, forward)
  child.on('error', (error) => {
    for (const signal of SIGNALS) process.off(signal, forward)
    if (node === pinnedNode && isNewEnough()) {
      start(process.execPath, file, args)
      return
    }
    fail(
      `the pinned Node ${pinnedVersion()} does not start here (${error.message}). It is built for glibc, which Alpine for instance lacks.`,
      'If it is damaged, remove node_modules and try again',
    )
  })
  child.on('exit', (code, signal) => {
    if (signal !== null) process.exit(128 + ({ SIGINT: 2, SIGTERM: 15, SIGKILL: 9, SIGHUP: 1 }[signal] ?? 1))
    process.exit(code ?? 1)
  })
}
