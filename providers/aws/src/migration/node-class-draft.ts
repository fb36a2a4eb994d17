import type { FieldConversion, KnownByUser, NodeClassDraft, Question, SourceGroup } from '@kerf/provider-contract'
import { fieldConversion, present } from '@kerf/provider-kit/migration'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import type { BlockDevice, LaunchSettings } from './aws-group.ts'

interface Image {
  readonly amiSelectorTerms: EC2NodeClass['spec']['amiSelectorTerms']
  readonly amiFamily?: EC2NodeClass['spec']['amiFamily']
  readonly because?: string
  readonly question?: string
}

const releaseVersion = (release: string | undefined, pattern: RegExp): string | undefined => {
  const found = pattern.exec(release ?? '')?.[1]
  return found === undefined ? undefined : `v${found}`
}

/** Returns the image family for which the user data was written, or undefined if the user data does not show it. */
const familyByUserData = (userData: string | undefined): 'AL2' | 'AL2023' | 'Bottlerocket' | undefined => {
  if (userData === undefined) return undefined
  if (userData.includes('node.eks.aws/v1alpha1') || userData.includes('nodeadm')) return 'AL2023'
  if (userData.includes('/etc/eks/bootstrap.sh')) return 'AL2'
  return /^\s*\[settings[.\]]/m.test(userData) ? 'Bottlerocket' : undefined
}

const chooseImage = ({ imageFamily, imageRelease, imageId, userData }: LaunchSettings): Image => {
  const family = (imageFamily ?? '').toUpperCase()
  if (imageId !== undefined) {
    const known = familyByUserData(userData)
    const amiFamily =
      known ?? (family.startsWith('AL2023') ? 'AL2023' : family.startsWith('BOTTLEROCKET') ? 'Bottlerocket' : 'Custom')
    return {
      amiSelectorTerms: [{ id: imageId }],
      amiFamily,
      ...(known === undefined && amiFamily === 'Custom'
        ? {
            question: `image ${imageId}: which family is it of? With amiFamily Custom its user data has to join the node to the cluster itself`,
          }
        : {}),
    }
  }
  if (family.startsWith('BOTTLEROCKET')) {
    const version = releaseVersion(imageRelease, /^(\d+\.\d+\.\d+)/)
    return { amiSelectorTerms: [{ alias: `bottlerocket@${version ?? 'latest'}` }] }
  }
  if (family.startsWith('WINDOWS') || family.startsWith('WINDOWSSERVER')) {
    const year = /20(19|22|25)/.exec(family)?.[0] ?? '2022'
    return { amiSelectorTerms: [{ alias: `windows${year}@latest` }] }
  }
  const version = releaseVersion(imageRelease, /-(\d{8})$/)
  if (family.startsWith('AL2_') || family === 'AL2' || family === 'AMAZONLINUX2')
    return {
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      because: 'AL2 has no images from Kubernetes 1.33 on: AL2023 takes its place',
    }
  if (family.startsWith('AL2023') || family === 'AMAZONLINUX2023')
    return { amiSelectorTerms: [{ alias: `al2023@${version ?? 'latest'}` }] }
  return {
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    question: 'which image do its nodes have? al2023@latest stands for it',
  }
}

const deviceMapping = (device: BlockDevice) => {
  const { deviceName, sizeGiB, volumeType, iops, throughput, encrypted, kmsKeyId, snapshotId, deleteOnTermination } =
    device
  const ebs = present({
    volumeSize: sizeGiB === undefined ? undefined : `${sizeGiB}Gi`,
    volumeType,
    iops,
    throughput,
    encrypted,
    kmsKeyID: kmsKeyId,
    snapshotID: snapshotId,
    deleteOnTermination,
  })
  return { deviceName, ebs }
}

/**
 * Returns true if a node class can describe the device: every volume needs a size or a snapshot. A device without them is omitted, so the
 * disk size of the image applies.
 */
const isWholeDevice = ({ sizeGiB, snapshotId }: BlockDevice): boolean =>
  sizeGiB !== undefined || snapshotId !== undefined

/** Drafts the EC2NodeClass of a node group. */
export const draftNodeClass = (
  { name, launch = {} }: SourceGroup<LaunchSettings>,
  known: KnownByUser,
): NodeClassDraft => {
  const object = `node group ${name}`
  const conversions: FieldConversion[] = []
  const questions: Question[] = []
  const image = chooseImage(launch)
  if (image.because !== undefined)
    conversions.push(
      fieldConversion(object, 'image family', { to: 'EC2NodeClass spec.amiSelectorTerms', because: image.because }),
    )
  if (image.question !== undefined) questions.push({ object, message: image.question })
  const discovery = { 'karpenter.sh/discovery': known.clusterName ?? 'CLUSTER_NAME' }
  const {
    subnetIds = [],
    securityGroupIds = [],
    role,
    instanceProfile,
    userData,
    metadataOptions,
    blockDevices = [],
  } = launch
  if (subnetIds.length === 0)
    questions.push({ object, message: 'which subnets? Those with the tag karpenter.sh/discovery stand for them' })
  if (securityGroupIds.length === 0)
    questions.push({
      object,
      message:
        'which security groups? Those with the tag karpenter.sh/discovery stand for them; a managed group without a launch template has the one of the cluster',
    })
  const nodeRole = role ?? (instanceProfile === undefined ? known.role : undefined)
  if (nodeRole === undefined && instanceProfile === undefined)
    questions.push({
      object,
      message: 'which role do its nodes have? Give --node-role; KarpenterNodeRole stands for it',
    })
  // Scripts for AL2 do not run on AL2023.
  const carriesUserData =
    userData !== undefined && !(image.because !== undefined || userData.includes('/etc/eks/bootstrap.sh'))
  if (userData !== undefined && !carriesUserData) {
    const line = /\/etc\/eks\/bootstrap\.sh.*/.exec(userData)?.[0]
    conversions.push(
      fieldConversion(object, 'user data', {
        because: `it is a script for AL2${line === undefined ? '' : ` (${line})`}; write its arguments as a NodeConfig`,
      }),
    )
    questions.push({
      object,
      message:
        'its user data is for AL2: write what is needed of it as a NodeConfig into spec.userData or spec.kubelet',
    })
  }
  if (metadataOptions === undefined)
    conversions.push(
      fieldConversion(object, 'metadata hop limit', {
        to: 'EC2NodeClass spec.metadataOptions',
        because:
          'managed groups give 2 and EC2NodeClasses 1 unless they say so: 2 is written, since pods may use the role of the node',
      }),
    )
  const whole = blockDevices.filter(isWholeDevice)
  for (const { deviceName } of blockDevices.filter((device) => !isWholeDevice(device)))
    conversions.push(
      fieldConversion(object, `block device ${deviceName}`, { because: 'it has neither a size nor a snapshot' }),
    )
  const tags = launch.tags ?? {}
  return {
    conversions,
    questions,
    spec: {
      ...(image.amiFamily === undefined ? {} : { amiFamily: image.amiFamily }),
      amiSelectorTerms: image.amiSelectorTerms,
      ...(instanceProfile !== undefined && nodeRole === undefined
        ? { instanceProfile }
        : { role: nodeRole ?? 'KarpenterNodeRole' }),
      subnetSelectorTerms: subnetIds.length === 0 ? [{ tags: discovery }] : subnetIds.map((id) => ({ id })),
      securityGroupSelectorTerms:
        securityGroupIds.length === 0 ? [{ tags: discovery }] : securityGroupIds.map((id) => ({ id })),
      metadataOptions: (metadataOptions ?? { httpTokens: 'required', httpPutResponseHopLimit: 2 }) as NonNullable<
        EC2NodeClass['spec']['metadataOptions']
      >,
      ...(whole.length === 0
        ? {}
        : {
            blockDeviceMappings: whole.map(deviceMapping) as NonNullable<EC2NodeClass['spec']['blockDeviceMappings']>,
          }),
      ...(carriesUserData ? { userData } : {}),
      ...(Object.keys(tags).length === 0 ? {} : { tags }),
      ...(launch.maxPods === undefined ? {} : { kubelet: { maxPods: launch.maxPods } }),
      ...(launch.detailedMonitoring === true ? { detailedMonitoring: true } : {}),
      ...(launch.associatePublicIp === undefined ? {} : { associatePublicIPAddress: launch.associatePublicIp }),
      ...(launch.placementGroup === undefined ? {} : { placementGroupSelector: { name: launch.placementGroup } }),
      ...(launch.capacityReservationId === undefined
        ? {}
        : { capacityReservationSelectorTerms: [{ id: launch.capacityReservationId }] }),
    } as EC2NodeClass['spec'],
  }
}
