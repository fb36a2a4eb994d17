import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, SeededRandom, SystemClock } from '@kerf/runtime'
import { SandboxCluster, SandboxServer, ScaledClock } from '@kerf/sandbox'
import { labelAliases } from '../vocabulary.ts'
import type { OpenCluster, OpenOptions } from './open-cluster.ts'

/**
 * Starts a cluster in this process and serves it on loopback. Kerf accesses it without HTTP; the port is for kubectl and other clients. The
 * kubeconfig contains the token, so it is in a separate directory, which is deleted with the cluster.
 */
export const openSandbox = async ({ port, speed, seed }: OpenOptions): Promise<OpenCluster> => {
  const clock: Clock = speed === 1 ? new SystemClock() : new ScaledClock(new SystemClock(), speed)
  const random = new SeededRandom(seed)
  const cluster = new SandboxCluster({
    clock,
    random: random.fork('sandbox'),
    kubelet: { driverTopology: labelAliases },
  })
  const server = await SandboxServer.start(cluster.api, { port })
  const directory = await mkdtemp(join(tmpdir(), 'kerf-up-'))
  const kubeconfig = join(directory, 'kubeconfig')
  const close = async (): Promise<void> => {
    await server.close()
    await cluster.stop()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
    await cluster.start()
  } catch (error) {
    await close()
    throw error
  }
  return {
    name: 'sandbox',
    clock,
    random: random.fork('kerf'),
    client: cluster.api.client(),
    kubeconfig,
    disposable: true,
    playsKubelets: true,
    close,
  }
}
