import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const moduleRoot = dirname(dirname(fileURLToPath(import.meta.url)))

const packages = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
} as const

export type ComponentName = keyof typeof packages

/** Absolute paths of the programs. */
export type Components = Readonly<Record<ComponentName, string>>

export const componentNames: readonly ComponentName[] = [
  'etcd',
  'kube-apiserver',
  'kube-scheduler',
  'kube-controller-manager',
  'kubectl',
]

/** The programs of a control plane are not on this machine. The message says what would bring them here. */
export class ControlPlaneUnavailableError extends Error {
  override readonly name = 'ControlPlaneUnavailableError'
}

/** Depends on the pinned versions only, so an unchanged pin never builds again. */
const cacheDirectory = (): string => {
  const hash = createHash('sha256')
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(moduleRoot, file)))
  const base = process.env['KERF_CACHE_DIR'] ?? join(homedir(), '.cache', 'kerf', 'control-plane')
  return join(base, hash.digest('hex').slice(0, 16))
}

const expectedPath = (name: ComponentName): string => {
  const assets = process.env['KUBEBUILDER_ASSETS']
  if (assets !== undefined && assets !== '') {
    const given = join(assets, name)
    if (existsSync(given)) return given
  }
  return join(cacheDirectory(), name)
}

const missingComponents = (): readonly ComponentName[] =>
  componentNames.filter((name) => !existsSync(expectedPath(name)))

/**
 * The ready programs, or what is missing. `KUBEBUILDER_ASSETS` wins for each program it holds (setup-envtest ships no
 * scheduler and no controller manager); the rest comes from the cache of earlier builds. Builds nothing.
 */
export const findComponents = (): Components | { readonly missing: readonly ComponentName[] } => {
  const missing = missingComponents()
  if (missing.length > 0) return { missing }
  return {
    etcd: expectedPath('etcd'),
    'kube-apiserver': expectedPath('kube-apiserver'),
    'kube-scheduler': expectedPath('kube-scheduler'),
    'kube-controller-manager': expectedPath('kube-controller-manager'),
    kubectl: expectedPath('kubectl'),
  }
}

/** kubectl prints its own version; a plain `go build` would leave it at v0.0.0. */
const linkerFlags = (): string => {
  const pinned = /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)/.exec(readFileSync(join(moduleRoot, 'go.mod'), 'utf8'))
  if (pinned === null) return '-s -w'
  const [, version, major, minor] = pinned
  const set = (field: string, value: string | undefined) => `-X k8s.io/component-base/version.${field}=${value ?? ''}`
  return ['-s -w', set('gitVersion', version), set('gitMajor', major), set('gitMinor', minor)].join(' ')
}

const goBuild = (name: ComponentName, output: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('go', ['build', '-trimpath', '-ldflags', linkerFlags(), '-o', output, packages[name]], {
      cwd: moduleRoot,
      env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000)
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new ControlPlaneUnavailableError(`go build of ${name} failed:\n${said.trim()}`))
    })
  })

/**
 * Builds what is neither in `KUBEBUILDER_ASSETS` nor cached; about five minutes on two cores the first time. Each program
 * enters the cache whole, so an interrupted build goes on where it stopped.
 * @param progress gets one line before each program
 * @throws ControlPlaneUnavailableError without Go, or when a build fails
 */
export const buildMissing = async (progress: (line: string) => void): Promise<Components> => {
  const missing = missingComponents()
  if (missing.length > 0) {
    if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
      throw new ControlPlaneUnavailableError(
        `the control plane needs ${missing.join(', ')}: install Go (go.dev/dl) to build them, or set KUBEBUILDER_ASSETS to a directory that holds them`,
      )
    }
    const directory = cacheDirectory()
    mkdirSync(directory, { recursive: true })
    for (const [index, name] of missing.entries()) {
      progress(`building ${name} (${index + 1} of ${missing.length}; once, then cached in ${directory})`)
      const temporary = join(directory, `.${name}.${process.pid}`)
      try {
        await goBuild(name, temporary)
        renameSync(temporary, join(directory, name))
      } finally {
        rmSync(temporary, { force: true })
      }
    }
  }
  const found = findComponents()
  if ('missing' in found)
    throw new ControlPlaneUnavailableError(`still missing after the build: ${found.missing.join(', ')}`)
  return found
}
