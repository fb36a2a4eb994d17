import {
  type DashboardCase,
  enumSchema,
  fields,
  flag,
  kubelet,
  list,
  number,
  readyClass,
  text,
  texts,
  whole,
} from '@kerf/provider-contract/dashboard/testing'

/** A typical node class. Its schema was written for these tests from the provider's documentation of fields, types and limits. */
export const dashboardCases: readonly DashboardCase[] = [
  {
    provider: 'OCI',
    plural: 'ocinodeclasses',
    schema: whole(
      fields({
        vcnId: text,
        imageSelector: list(fields({ id: text, name: text, compartmentId: text }), 30),
        subnetSelector: list(fields({ id: text, name: text }), 30),
        securityGroupSelector: list(fields({ id: text, name: text }), 30),
        imageFamily: enumSchema('Ubuntu2204', 'OracleOKELinux', 'Custom'),
        userData: text,
        preInstallScript: text,
        metaData: texts,
        definedTags: { type: 'object', additionalProperties: texts },
        freeFormTags: texts,
        kubelet,
        bootConfig: fields({ bootVolumeSizeInGBs: number(50), bootVolumeVpusPerGB: number(0) }),
        launchOptions: fields({
          bootVolumeType: enumSchema('ISCSI', 'SCSI', 'IDE', 'VFIO', 'PARAVIRTUALIZED'),
          firmware: enumSchema('BIOS', 'UEFI_64'),
          networkType: enumSchema('E1000', 'VFIO', 'PARAVIRTUALIZED'),
          remoteDataVolumeType: text,
          isConsistentVolumeNamingEnabled: flag,
        }),
        blockDevices: list(fields({ sizeInGBs: number(50, 32768), vpusPerGB: number(0, 20) })),
        agentList: list(text),
      }),
      {
        subnets: list(fields({ id: text, name: text })),
        images: list(fields({ id: text, name: text })),
        securityGroups: list(fields({ id: text, name: text })),
      },
    ),
    example: readyClass(
      'karpenter.k8s.oracle/v1alpha1',
      'OciNodeClass',
      {
        vcnId: 'ocid1.vcn.oc1..a',
        imageFamily: 'OracleOKELinux',
        imageSelector: [{ name: 'Oracle-Linux-8.10-OKE-1.31' }],
        subnetSelector: [{ name: 'workers' }],
        bootConfig: { bootVolumeSizeInGBs: 100, bootVolumeVpusPerGB: 10 },
      },
      {
        images: [{ id: 'ocid1.image.oc1..a', name: 'Oracle-Linux-8.10-OKE-1.31' }],
        subnets: [{ id: 'ocid1.subnet.oc1..a', name: 'workers' }],
      },
    ),
    shown: ['Oracle-Linux-8.10-OKE-1.31', 'workers'],
    mistake: [
      'bootVolumeSizeInGBs: 100',
      'bootVolumeSizeInGBs: 10',
      'spec.bootConfig.bootVolumeSizeInGBs: Invalid value',
    ],
  },
  {
    provider: 'OCI (Oracle)',
    plural: 'ocinodeclasses',
    schema: whole(
      fields(
        {
          shapeConfigs: list(fields({ ocpus: number(1), memoryInGbs: number(1) })),
          nodeCompartmentId: text,
          volumeConfig: fields(
            {
              bootVolumeConfig: fields(
                {
                  imageConfig: fields({ imageType: text, imageId: text }, 'imageType'),
                  sizeInGBs: number(1),
                  vpusPerGB: number(0),
                },
                'imageConfig',
              ),
            },
            'bootVolumeConfig',
          ),
          networkConfig: fields(
            { primaryVnicConfig: fields({ subnetConfig: fields({ subnetId: text }) }) },
            'primaryVnicConfig',
          ),
          freeformTags: texts,
        },
        'volumeConfig',
        'networkConfig',
      ),
      {
        volume: fields({ images: list(fields({ imageId: text, displayName: text })) }),
        network: fields({ primaryVnic: fields({ subnet: fields({ subnetId: text, displayName: text }) }) }),
      },
    ),
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
