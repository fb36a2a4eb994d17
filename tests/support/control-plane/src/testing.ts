import { afterAll, beforeAll, describe } from 'vitest'
import type { ClusterAccess } from './access.ts'
import { borrow } from './borrow.ts'
import { findComponents } from './components.ts'
import { runKubectl } from './kubectl.ts'
import type { ProgramResult } from './run-program.ts'
import type { SharedAccess } from './shared-server.ts'

/** A shared control plane that a test file has borrowed. */
export interface TestCluster extends ClusterAccess {
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string
  readonly kubectlPath: string
  /** Runs the pinned kubectl as administrator. Never rejects, even if the command fails. */
  kubectl(args: readonly string[], input?: string): Promise<ProgramResult>
}

/** The environment variable with the path of the socket. The global setup of the test run sets it for the test workers. */
export const SHARED_SOCKET = 'KERF_TEST_CONTROL_PLANE'
/** The variable that contains the socket for control planes with Kerf's custom resources. */
const SOCKET_WITH_CUSTOM_RESOURCES = 'KERF_TEST_CONTROL_PLANE_WITH_CUSTOM_RESOURCES'

const missing = (): string | undefined => {
  const found = findComponents()
  return 'missing' in found ? `no ${found.missing.join(', ')}` : undefined
}

/** Borrows one of the run's control planes. */
const borrowCluster = async (path: string): Promise<{ readonly cluster: TestCluster; giveBack(): void }> => {
  const { access, giveBack } = await borrow<SharedAccess>(path)
  const { kubectlPath, kubeconfig } = access
  return {
    cluster: { ...access, kubectl: (args, input) => runKubectl(kubectlPath, kubeconfig, args, input) },
    giveBack,
  }
}

const describeOnLent = (name: string, socket: string, define: (cluster: () => TestCluster) => void): void => {
  const why = missing()
  if (why !== undefined) {
    describe.skip(`${name} (skipped: ${why}; run "node tests/support/control-plane/build.ts")`, () =>
      define(() => {
        throw new Error(why)
      }))
    return
  }
  describe(name, () => {
    let held: Awaited<ReturnType<typeof borrowCluster>> | undefined
    beforeAll(async () => {
      const path = process.env[socket]
      if (path === undefined) throw new Error(`${socket} is not set: run through the repository's vitest.config.ts`)
      held = await borrowCluster(path)
    })
    afterAll(() => held?.giveBack())
    define(() => {
      if (held === undefined) throw new Error('the cluster is there inside tests and hooks only')
      return held.cluster
    })
  })
}

/**
 * Defines a suite on a real control plane. From its first to its last test, the suite has an empty cluster for itself. If all control
 * planes are in use, it waits. If programs are missing, the suite is skipped and its name contains the reason.
 * @param define gets a function that returns the cluster; call that function only inside tests and hooks
 */
export const describeOnCluster = (name: string, define: (cluster: () => TestCluster) => void): void =>
  describeOnLent(name, SHARED_SOCKET, define)

/**
 * Does the same as `describeOnCluster` for a cluster with Kerf's custom resources. Reuses the custom resources if the previous file has
 * left them in the cluster.
 */
export const describeWithCustomResources = (name: string, define: (cluster: () => TestCluster) => void): void =>
  describeOnLent(name, SOCKET_WITH_CUSTOM_RESOURCES, define)
