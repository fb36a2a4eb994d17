import { type DashboardCase, readyClass, resourceSchema } from '@kerf/provider-contract/dashboard/testing'
import { gceNodeClassResource } from '../src/node-class/gce-node-class.ts'

/** A typical node class. */
export const dashboardCases: readonly DashboardCase[] = [
  {
    provider: 'GCP',
    plural: 'gcenodeclasses',
    schema: resourceSchema(gceNodeClassResource),
    example: readyClass(
      'karpenter.k8s.gcp/v1alpha1',
      'GCENodeClass',
      {
        serviceAccount: 'nodes@demo.iam.gserviceaccount.com',
        disks: [{ sizeGiB: 60, category: 'pd-balanced', boot: true }],
        imageSelectorTerms: [{ family: 'ContainerOptimizedOS', channel: 'regular' }],
        networkConfig: { enablePrivateNodes: true, subnetwork: 'projects/demo/regions/europe-west1/subnetworks/nodes' },
      },
      { images: [{ sourceImage: 'projects/gke-node-images/global/images/gke-1334-cos-125', requirements: [] }] },
    ),
    shown: ['gke-1334-cos-125', 'nodes@demo.iam.gserviceaccount.com', 'nodes'],
    mistake: ['pd-balanced', 'pd-fast', 'spec.disks[0].category: Unsupported value: "pd-fast"'],
  },
]
