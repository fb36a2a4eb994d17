import { autoscaler } from '../../../../tests/integration/migrate/objects.ts'
import type { SetUp } from '../../../../tests/integration/migrate/set-up.ts'

const LINK = 'https://container.googleapis.com/v1/projects/shop-1/locations/europe-west1/clusters/shop'
const ZONES = ['europe-west1-b', 'europe-west1-c']

const pool = (name: string, config: object, more: object = {}) => ({
  ...{ name, selfLink: `${LINK}/nodePools/${name}`, status: 'RUNNING', initialNodeCount: 1, locations: ZONES },
  config: { machineType: 'n2-standard-4', diskSizeGb: 100, imageType: 'COS_CONTAINERD', ...config },
  autoscaling: { enabled: true, maxNodeCount: 3 },
  ...more,
})

/** A typical cluster in the format of a GKE export. */
export const setUps: readonly SetUp[] = [
  {
    name: 'GKE: a default pool, a pool of spot instances and one with a kubelet of its own',
    documents: [
      {
        ...{ name: 'shop', location: 'europe-west1', locations: ZONES, selfLink: LINK },
        releaseChannel: { channel: 'REGULAR' },
        nodePools: [
          pool('default-pool', {}),
          pool('spot', { spot: true, taints: [{ key: 'spot', value: 'true', effect: 'NO_SCHEDULE' }] }),
          pool(
            'tuned',
            { kubeletConfig: { cpuCfsQuota: false }, labels: { tier: 'web' }, resourceLabels: { owner: 'ops' } },
            { upgradeSettings: { maxUnavailable: 1 } },
          ),
        ],
      },
      autoscaler(['--cloud-provider=gce', '--scale-down-delay-after-add=20m']),
    ],
  },
]
