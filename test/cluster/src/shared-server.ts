import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { Lending } from './lending.ts'
import { type LoanServer, serveLoans } from './loan-server.ts'
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

/**
 * Lends control planes to the test files of a run: each file has one to itself, emptied. The first starts with the first
 * request, so a run without cluster tests starts nothing; the others when several files ask at once.
 */
export const serveSharedControlPlane = async (): Promise<LoanServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-shared-'))
  const watchdog = startWatchdog(directory)
  const planes = new Lending<ControlPlane>({
    most: MOST_PLANES,
    make: () => startControlPlane(),
    clean: resetCluster,
    discard: (plane) => plane.stop(),
  })
  const loans = await serveLoans<SharedAccess>(join(directory, 'control-plane.sock'), async () => {
    const plane = await planes.borrow()
    const { server, ca, token, kubeconfig, kubectlPath, processes } = plane
    return {
      access: { server, ca, token, kubeconfig, kubectlPath, processes },
      giveBack: () => planes.giveBack(plane),
    }
  })
  return {
    path: loans.path,
    close: async () => {
      await loans.close()
      await planes.close()
      await watchdog.release()
    },
  }
}
