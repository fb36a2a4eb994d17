import { join } from 'node:path'
import { borrow, Lending, type Loan, type LoanServer, serveLoans, type Watchdog } from '@kerf/control-plane'
import { writeImages } from './emulated-images.ts'
import { type Moto, pythonWithMoto, resetMoto, startMoto } from './moto.ts'

/** The environment variable with the path of the socket. The global setup of the run sets it for its workers. */
const SOCKET = 'KERF_TEST_AWS_EMULATOR'

export interface EmulatorAccess {
  readonly port: number
  readonly processes: readonly number[]
}

/** The maximum number of emulators of a run: the number of test files that run at the same time. */
const MOST = 3

/**
 * Lends AWS emulators to the test files of a run. Each emulator has one borrower at a time. It is reset between borrowers, because a start
 * takes several processor seconds and a reset takes almost none.
 */
export const serveSharedEmulator = async (directory: string, watchdog: Watchdog): Promise<LoanServer> => {
  const emulators = new Lending<Moto>({
    most: MOST,
    make: async () => {
      const images = join(directory, 'images.json')
      writeImages(images)
      const moto = await startMoto(images)
      watchdog.watch(moto.child)
      return moto
    },
    clean: ({ port }) => resetMoto(port),
    discard: (moto) => moto.stop(),
  })
  const loans = await serveLoans<EmulatorAccess>(join(directory, 'aws-emulator.sock'), async () => {
    const moto = await emulators.borrow()
    const { pid } = moto.child
    return {
      access: { port: moto.port, processes: pid === undefined ? [] : [pid] },
      giveBack: () => emulators.giveBack(moto),
    }
  })
  process.env[SOCKET] = loans.path
  return {
    path: loans.path,
    close: async () => {
      await loans.close()
      await emulators.close()
    },
  }
}

/** Borrows an emulator whose account is as empty as AWS creates it. Installs moto first if the machine lacks it. */
export const borrowEmulator = (): Promise<Loan<EmulatorAccess>> => {
  const path = process.env[SOCKET]
  if (path === undefined) throw new Error(`${SOCKET} is not set: run through the repository's vitest.config.ts`)
  // Install moto in this process, because an installation in the lending process would block all borrowers.
  pythonWithMoto()
  return borrow<EmulatorAccess>(path)
}
