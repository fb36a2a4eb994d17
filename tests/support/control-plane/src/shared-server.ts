import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { type Definition, KeptDefinitions } from './kept-definitions.ts'
import { Lending } from './lending.ts'
import { type Loan, serveLoans } from './loan-server.ts'
import { resetCluster } from './reset.ts'
import { startWatchdog } from './watchdog.ts'

/** The data that a borrower of a control plane gets. */
export interface SharedAccess {
  readonly server: string
  readonly ca: string
  readonly token: string
  readonly kubeconfig: string
  readonly kubectlPath: string
  /** The process ids of the control plane. */
  readonly processes: readonly number[]
}

/** The maximum number of control planes in a run. An idle one costs little, and test files that use one spend most of the time waiting. */
const MOST_PLANES = 3

interface LentPlane {
  readonly plane: ControlPlane
  readonly definitions: KeptDefinitions
}

/**
 * Cleans a control plane but keeps the definitions. These are the measured costs on two busy cores, in CPU seconds per file: 1.4 to delete
 * everything including the definitions, and 0.7 to install the definitions again; 2.7 to start etcd and the API server on a copy of the
 * data; 0.5 to delete everything except the definitions.
 */
const clean = async ({ plane, definitions }: LentPlane): Promise<void> =>
  resetCluster(plane, await definitions.unchanged(plane))

/**
 * Two sockets: one for control planes without custom resources, and one for control planes with Kerf's custom resources. A client borrows
 * by connecting and returns by disconnecting.
 */
export interface SharedServer {
  readonly path: string
  readonly pathWithCustomResources: string
  close(): Promise<void>
}

/**
 * Lends control planes to the test files of a run. Each file gets an empty one for itself. The first control plane starts with the first
 * request, so a run without cluster tests starts none. More are started only if several files need one at the same time.
 * @param customResources the definitions for files that need them; they stay until a file needs a cluster without them
 */
export const serveSharedControlPlane = async (
  customResources: () => Promise<readonly Definition[]>,
): Promise<SharedServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-shared-'))
  const watchdog = startWatchdog(directory)
  const planes = new Lending<LentPlane>({
    most: MOST_PLANES,
    make: async () => ({ plane: await startControlPlane(), definitions: new KeptDefinitions() }),
    clean,
    discard: ({ plane }) => plane.stop(),
  })
  const prepare = async ({ plane, definitions }: LentPlane, withCustomResources: boolean): Promise<void> => {
    if (withCustomResources === definitions.areThere) return
    if (withCustomResources) return await definitions.install(plane, await customResources())
    definitions.forget()
    await resetCluster(plane)
  }
  const lend = async (withCustomResources: boolean): Promise<Loan<SharedAccess>> => {
    const lent = await planes.borrow()
    try {
      await prepare(lent, withCustomResources)
    } catch (error) {
      planes.giveBack(lent)
      throw error
    }
    const { server, ca, token, kubeconfig, kubectlPath, processes } = lent.plane
    return {
      access: { server, ca, token, kubeconfig, kubectlPath, processes },
      giveBack: () => planes.giveBack(lent),
    }
  }
  const without = await serveLoans(join(directory, 'empty.sock'), () => lend(false))
  const withThem = await serveLoans(join(directory, 'custom-resources.sock'), () => lend(true))
  return {
    path: without.path,
    pathWithCustomResources: withThem.path,
    close: async () => {
      await Promise.all([without.close(), withThem.close()])
      await planes.close()
      await watchdog.release()
    },
  }
}
