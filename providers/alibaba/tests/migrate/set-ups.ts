import { autoscaler } from '../../../../tests/integration/migrate/objects.ts'
import type { SetUp } from '../../../../tests/integration/migrate/set-up.ts'
import { ackCluster, ackPool } from './ack-pools.ts'

/** A typical cluster in the format of ACK's export commands. */
export const setUps: readonly SetUp[] = [
  {
    name: 'ACK: a fixed pool, a pool on spot and one with a kubelet of its own',
    documents: [
      ackCluster,
      {
        nodepools: [
          ackPool('system', { info: { is_default: true }, sizes: { enable: false } }),
          ackPool('spot', { scaling: { spot_strategy: 'SpotAsPriceGo', compensate_with_on_demand: true } }),
          ackPool('tuned', {
            kubelet: { maxPods: 40, kubeReserved: { cpu: '100m' } },
            config: { labels: [{ key: 'tier', value: 'web' }] },
            scaling: { tags: [{ key: 'owner', value: 'ops' }] },
          }),
        ],
      },
      autoscaler(['--cloud-provider=alicloud', '--scale-down-delay-after-add=20m']),
    ],
  },
]
