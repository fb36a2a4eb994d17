import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { type Definition, KeptDefinitions } from './kept-definitions.ts'
import { Lending } from './lending.ts'
import { type Loan, serveLoans } from './loan-server.ts'
import { resetCluster } from './reset.ts'
import { startWatchdog } from './watchdog.ts'

/** What a holder of a control plane is told. */
export interface SharedAccess {
  readonly server: string
  readonly ca: string
  readonly token: string
  readonly kubeconfig: string
  readonly kubectlPath: string
  /** The ids of its processes. */
  readonly processes: readonly number[]
}

/** How many control planes a run has at most. One that nobody uses costs little; the files that use one mostly wait. */
const MOST_PLANES = 3

interface LentPlane {
  readonly plane: ControlPlane
  readonly definitions: KeptDefinitions
}

/**
 * Measured on two busy cores, for each file: 1.4 processor seconds to delete everything with the custom resources and 0.7 to
 * install them for the next file; 2.7 to start etcd and the API server on a copy of the data; 0.5 to delete everything else.
 */
const clean = async ({ plane, definitions }: LentPlane): Promise<void> =>
  resetCluster(plane, await definitions.unchanged(plane))

/** Two sockets: a control plane without any custom resources, and one with Kerf's. Connect to borrow, hang up to give back. */
export interface SharedServer {
  readonly path: string
  readonly pathWithCustomResources: string
  close(): Promise<void>
}

/**
 * Lends control planes to the test files of a run: each file has one to itself, emptied. The first starts with the first
 * request, so a run without cluster tests starts nothing; the others when several files ask at once.
 * @param customResources the definitions for the files that ask for them; they stay until a file asks for a cluster without
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
