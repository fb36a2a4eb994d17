import { startControlPlane } from '@kerf/control-plane'
import { UsageError } from '@kerf/provider-kit/command-line'
import { bundleContent } from '../bundle-content.ts'
import type { OpenCluster, OpenOptions } from './open-cluster.ts'
import { openKubeconfig } from './open-kubeconfig.ts'

/** Starts a real etcd, API server, scheduler and controller manager on loopback. Missing binaries are built first. */
export const openLocal = async (options: OpenOptions): Promise<OpenCluster> => {
  if (bundleContent !== undefined)
    throw new UsageError(
      '--cluster local builds a control plane and needs a clone of the repository; use --cluster sandbox or --cluster kubeconfig here',
    )
  options.progress('starting etcd, API server, scheduler and controller manager on loopback')
  const plane = await startControlPlane({ build: options.progress })
  try {
    const opened = await openKubeconfig({ ...options, kubeconfig: plane.kubeconfig })
    return {
      ...opened,
      name: 'local control plane',
      disposable: true,
      close: async () => {
        await opened.close()
        await plane.stop()
      },
    }
  } catch (error) {
    await plane.stop()
    throw error
  }
}
