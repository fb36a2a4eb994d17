import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildProgram, cacheDirectory, type GoModule } from '../../../../tests/support/control-plane/src/go-module.ts'

const clusterApi: GoModule = {
  directory: dirname(dirname(fileURLToPath(import.meta.url))),
  name: 'cluster-api',
  // The managers write their version into their logs. A plain `go build` would leave it empty.
  linkerFlags: (goMod) => {
    const version = /sigs\.k8s\.io\/cluster-api (v\S+)/.exec(goMod)?.[1] ?? ''
    return `-s -w -X sigs.k8s.io/cluster-api/version.gitVersion=${version}`
  },
}

/** A manager of Cluster API, named after its provider. */
export type ManagerName = 'core' | 'kubeadm-bootstrap' | 'kubeadm-control-plane' | 'development-infrastructure'

const goPackages: Readonly<Record<ManagerName, string>> = {
  core: 'sigs.k8s.io/cluster-api/core',
  'kubeadm-bootstrap': 'sigs.k8s.io/cluster-api/bootstrap/kubeadm',
  'kubeadm-control-plane': 'sigs.k8s.io/cluster-api/controlplane/kubeadm',
  'development-infrastructure': 'sigs.k8s.io/cluster-api/test/infrastructure/docker',
}

export const managerNames: readonly ManagerName[] = [
  'core',
  'kubeadm-bootstrap',
  'kubeadm-control-plane',
  'development-infrastructure',
]

/** Returns the cached path of a file for the pinned versions. */
export const cachedPath = (file: string): string => join(cacheDirectory(clusterApi), file)

/** Returns the path of the built program of a manager. */
export const managerPath = (name: ManagerName): string => cachedPath(name)

/** Returns the folder of a pinned module in the module cache of Go. Needs Go. */
export const moduleDirectory = (module: string): string =>
  execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', module], {
    cwd: clusterApi.directory,
    env: { ...process.env, GOFLAGS: '' },
    encoding: 'utf8',
  }).trim()

/** Returns the managers that the cache of earlier builds lacks. */
export const missingManagers = (): readonly ManagerName[] =>
  managerNames.filter((name) => !existsSync(managerPath(name)))

/** Builds a manager into the cache atomically. @throws GoBuildError when Go refuses */
export const buildManager = (name: ManagerName): Promise<void> => buildProgram(clusterApi, goPackages[name], name)
