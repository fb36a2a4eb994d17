import {
  type DashboardCase,
  enumSchema,
  fields,
  flag,
  kubelet,
  list,
  matching,
  number,
  readyClass,
  requirements,
  text,
  texts,
  whole,
} from '@kerf/provider-contract/dashboard/testing'

/** A typical node class. Its schema was written for these tests from the provider's documentation of fields, types and limits. */
export const dashboardCases: readonly DashboardCase[] = [
  {
    provider: 'GCP',
    plural: 'gcenodeclasses',
    schema: whole(
      fields({
        serviceAccount: matching('^[a-zA-Z0-9-]+@([a-zA-Z0-9.-]+)$'),
        disks: list(
          fields({
            sizeGiB: number(10),
            category: enumSchema(
              'hyperdisk-balanced',
              'hyperdisk-throughput',
              'local-ssd',
              'pd-balanced',
              'pd-ssd',
              'pd-standard',
            ),
            boot: flag,
            kmsKeyName: text,
            provisionedIOPS: number(0),
            provisionedThroughput: number(0),
          }),
          10,
        ),
        imageSelectorTerms: list(
          fields({
            alias: text,
            id: text,
            family: enumSchema('ContainerOptimizedOS', 'Ubuntu2404', 'Ubuntu2204'),
            channel: enumSchema('rapid', 'regular', 'stable', 'extended', 'cluster'),
            version: text,
          }),
          30,
        ),
        imageFamily: enumSchema('ContainerOptimizedOS', 'Ubuntu'),
        subnetRangeName: text,
        kubeletConfiguration: kubelet,
        labels: texts,
        metadata: texts,
        networkTags: list(text, 20),
        shieldedInstanceConfig: fields({ enableSecureBoot: flag, enableVtpm: flag, enableIntegrityMonitoring: flag }),
        confidentialInstanceType: enumSchema('SEV', 'SEV_SNP', 'TDX'),
        networkConfig: fields({
          enablePrivateNodes: flag,
          subnetwork: text,
          additionalNetworkInterfaces: list(fields({ network: text, subnetwork: text }, 'network', 'subnetwork'), 7),
        }),
        autoGPUTaint: flag,
        gpuDriverVersion: enumSchema('default', 'latest', 'disabled'),
      }),
      { images: list(fields({ sourceImage: text, requirements })) },
    ),
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
