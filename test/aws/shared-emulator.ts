import { join } from 'node:path'
import { borrow, Lending, type Loan, type LoanServer, serveLoans, type Watchdog } from '@kerf/control-plane'
import { writeImages } from './emulated-images.ts'
import { type Moto, pythonWithMoto, resetMoto, startMoto } from './moto.ts'

/** The environment variable through which the run's global set-up tells its workers where to ask. */
const SOCKET = 'KERF_TEST_AWS_EMULATOR'

export interface EmulatorAccess {
  readonly port: number
  readonly processes: readonly number[]
}

/** How many emulators a run has at most: as many as files run at a time. */
const MOST = 3

/**
 * Lends emulators of AWS to the test files of a run, each to one borrower at a time and reset in between: starting one costs
 * several processor seconds, resetting it almost nothing.
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

/** Borrows an emulator with an account as empty as AWS hands it over. Installs moto first if the machine does not have it. */
export const borrowEmulator = (): Promise<Loan<EmulatorAccess>> => {
  const path = process.env[SOCKET]
  if (path === undefined) throw new Error(`${SOCKET} is not set: run through the repository's vitest.config.ts`)
  // Here, because an installation would hold up the process that lends to everybody.
  pythonWithMoto()
  return borrow<EmulatorAccess>(path)
}
