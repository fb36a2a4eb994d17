import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildProgram, cacheDirectory, GoBuildError, type GoModule, haveGo } from './go-module.ts'

/** The minor Kubernetes version that tests use by default. The Go module of this folder pins it. */
const MAIN_MINOR = '1.36'

const folder = dirname(dirname(fileURLToPath(import.meta.url)))

/** Older minor versions that tests also support. Each has its own Go module, `kubernetes/MINOR`. */
const olderMinors = (): readonly string[] => readdirSync(join(folder, 'kubernetes')).toSorted().toReversed()

/** All minor versions that the tests support, the newest first. */
export const kubernetesMinors = (): readonly string[] => [MAIN_MINOR, ...olderMinors()]

const controlPlaneIn = (directory: string): GoModule => ({
  directory,
  name: 'control-plane',
  // Sets the version that kubectl prints. Otherwise, `go build` would set it to v0.0.0.
  linkerFlags: (goMod) => {
    const pinned = /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)/.exec(goMod)
    if (pinned === null) return '-s -w'
    const [, version, major, minor] = pinned
    const set = (field: string, value: string | undefined) => `-X k8s.io/component-base/version.${field}=${value ?? ''}`
    return ['-s -w', set('gitVersion', version), set('gitMajor', major), set('gitMinor', minor)].join(' ')
  },
})

const main = controlPlaneIn(folder)

/** Returns the Go module of the selected minor Kubernetes version. `KERF_TEST_KUBERNETES=1.34`, for example, selects 1.34. */
const kubernetes = (): GoModule => {
  const wanted = process.env['KERF_TEST_KUBERNETES']
  if (wanted === undefined || wanted === '' || wanted === MAIN_MINOR) return main
  if (olderMinors().includes(wanted)) return controlPlaneIn(join(folder, 'kubernetes', wanted))
  throw new ControlPlaneUnavailableError(
    `KERF_TEST_KUBERNETES is ${wanted}; Kerf is tested on Kubernetes ${kubernetesMinors().join(', ')}`,
  )
}

/** Returns the Go module of a program. All minor versions use the same etcd. */
const moduleOf = (name: ComponentName): GoModule => (name === 'etcd' ? main : kubernetes())

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

/** Thrown if programs of the control plane are missing on this machine. The message explains how to install them. */
export class ControlPlaneUnavailableError extends Error {
  override readonly name = 'ControlPlaneUnavailableError'
}

/** Returns the path at which a program of the selected version is expected, whether it exists or not. */
export const expectedPath = (name: ComponentName): string => {
  const assets = process.env['KUBEBUILDER_ASSETS']
  if (assets !== undefined && assets !== '') {
    const given = join(assets, name)
    if (existsSync(given)) return given
  }
  return join(cacheDirectory(moduleOf(name)), name)
}

const missingComponents = (): readonly ComponentName[] =>
  componentNames.filter((name) => !existsSync(expectedPath(name)))

/**
 * Returns the paths of the programs, or the list of missing programs. `KUBEBUILDER_ASSETS` takes precedence for each program that it
 * contains (setup-envtest includes no scheduler and no controller manager). The other programs come from the cache of earlier builds.
 * Builds nothing.
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

/**
 * Builds the programs that are neither in `KUBEBUILDER_ASSETS` nor in the cache. The first build takes about five minutes on two cores.
 * Each program is cached as soon as it is complete, so an interrupted build continues with the next program.
 * @param progress called with one line before each program
 * @throws ControlPlaneUnavailableError if Go is missing or a build fails
 */
export const buildMissing = async (progress: (line: string) => void): Promise<Components> => {
  const missing = missingComponents()
  if (missing.length > 0) {
    if (!haveGo()) {
      throw new ControlPlaneUnavailableError(
        `the control plane needs ${missing.join(', ')}: install Go (go.dev/dl) to build them, or set KUBEBUILDER_ASSETS to a directory that holds them`,
      )
    }
    for (const [index, name] of missing.entries()) {
      const module = moduleOf(name)
      progress(`building ${name} (${index + 1} of ${missing.length}; once, then cached in ${cacheDirectory(module)})`)
      try {
        await buildProgram(module, packages[name], name)
      } catch (error) {
        if (!(error instanceof GoBuildError)) throw error
        throw new ControlPlaneUnavailableError(error.message)
      }
    }
  }
  const found = findComponents()
  if ('missing' in found)
    throw new ControlPlaneUnavailableError(`still missing after the build: ${found.missing.join(', ')}`)
  return found
}
