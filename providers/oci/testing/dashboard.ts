import { type DashboardCase, readyClass, resourceSchema } from '@kerf/provider-contract/dashboard/testing'
import { communityNodeClassResource } from '../src/node-class/community-node-class.ts'
import { oracleNodeClassResource } from '../src/node-class/oracle-node-class.ts'

/** A typical node class of each kind. */
export const dashboardCases: readonly DashboardCase[] = [
  {
    provider: 'OCI',
    plural: 'ocinodeclasses',
    schema: resourceSchema(communityNodeClassResource),
    example: readyClass(
      'karpenter.k8s.oracle/v1alpha1',
      'OciNodeClass',
      {
        vcnId: 'ocid1.vcn.oc1..a',
        imageFamily: 'OracleOKELinux',
        imageSelector: [{ name: 'Oracle-Linux-8.10-OKE-1.31' }],
        subnetSelector: [{ name: 'workers' }],
        securityGroupSelector: [{ name: 'workers' }],
        bootConfig: { bootVolumeSizeInGBs: 100, bootVolumeVpusPerGB: 10 },
        launchOptions: { firmware: 'UEFI_64' },
      },
      {
        images: [{ id: 'ocid1.image.oc1..a', name: 'Oracle-Linux-8.10-OKE-1.31' }],
        subnets: [{ id: 'ocid1.subnet.oc1..a', name: 'workers' }],
      },
    ),
    shown: ['Oracle-Linux-8.10-OKE-1.31', 'workers'],
    mistake: ['firmware: UEFI_64', 'firmware: UEFI', 'spec.launchOptions.firmware: Unsupported value: "UEFI"'],
  },
  {
    provider: 'OCI (Oracle)',
    plural: 'ocinodeclasses',
    schema: resourceSchema(oracleNodeClassResource),
    example: readyClass(
      'oci.oraclecloud.com/v1beta1',
      'OCINodeClass',
      {
        volumeConfig: {
          bootVolumeConfig: {
            imageConfig: { imageType: 'OKEImage', imageId: 'ocid1.image.oc1..b' },
            sizeInGBs: 93,
          },
        },
        networkConfig: { primaryVnicConfig: { subnetConfig: { subnetId: 'ocid1.subnet.oc1..b' } } },
      },
      {
        volume: { images: [{ imageId: 'ocid1.image.oc1..b', displayName: 'Oracle-Linux-9-OKE-1.33' }] },
        network: { primaryVnic: { subnet: { subnetId: 'ocid1.subnet.oc1..b', displayName: 'nodes' } } },
      },
    ),
    shown: ['Oracle-Linux-9-OKE-1.33', 'nodes', '93'],
    mistake: ['sizeInGBs: 93', 'sizeInGBs: 0', 'spec.volumeConfig.bootVolumeConfig.sizeInGBs: Invalid value'],
  },
]
