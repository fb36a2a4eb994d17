import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@kerf/control-plane'
import { pythonEnvironment } from './python-environment.ts'

const VERSION = '5.2.5'

/** A Python that has moto, the emulator of AWS. */
export const pythonWithMoto = (): string => join(pythonEnvironment(`moto[server]==${VERSION}`), 'bin', 'python')

/** moto's server on loopback. */
export interface Moto {
  readonly port: number
  /** Forgets everything. */
  reset(): Promise<void>
  stop(): Promise<void>
}

const START = 30_000

export const startMoto = async (amisFile: string): Promise<Moto> => {
  const python = pythonWithMoto()
  const port = await freePort()
  const child: ChildProcess = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', MOTO_AMIS_PATH: amisFile },
  })
  const ended = once(child, 'close')
  const end = performance.now() + START
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/moto-api/data.json`)
      break
    } catch (error) {
      if (performance.now() > end || child.exitCode !== null) {
        child.kill()
        throw new Error('moto did not start', { cause: error })
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return {
    port,
    reset: async () => {
      await fetch(`http://127.0.0.1:${port}/moto-api/reset`, { method: 'POST' })
    },
    stop: async () => {
      child.kill()
      await ended
    },
  }
}
