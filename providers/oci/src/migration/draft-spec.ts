import {
  asNumber,
  asObjects,
  asPositive,
  asText,
  asTextMap,
  asTexts,
  isLoose,
  type Loose,
  looseAt,
} from '@kerf/provider-kit/documents'
import { present } from '@kerf/provider-kit/migration'
import type { OracleNodeClassSpec } from '../node-class/oracle-node-class.ts'

type Network = OracleNodeClassSpec['networkConfig']
type Secondary = NonNullable<Network['secondaryVnicConfigs']>
type ImageConfig = OracleNodeClassSpec['volumeConfig']['bootVolumeConfig']['imageConfig']

/** The number of addresses per network interface, and the number of pods that they allow. The interface itself uses one address. */
const ADDRESSES = 32
const PODS = ADDRESSES - 1

export const looseIn = (source: Loose, field: string): Loose => {
  const value = looseAt(source, field)
  return isLoose(value) ? value : {}
}

export const placementsIn = (pool: Loose): readonly Loose[] =>
  asObjects(looseIn(pool, 'nodeConfigDetails')['placementConfigs'])

/** Returns the subnets of the nodes, starting with the subnet of the first placement. */
export const nodeSubnets = (pool: Loose): readonly string[] => [
  ...new Set([...placementsIn(pool).flatMap(({ subnetId }) => asText(subnetId) ?? []), ...asTexts(pool['subnetIds'])]),
]

/** Returns an image filter if OKE published the pool's image, because the image's OCID is tied to one version of Kubernetes. */
const imageConfig = (pool: Loose): ImageConfig | undefined => {
  const source = looseIn(pool, 'nodeSourceDetails')
  const name = asText(looseIn(pool, 'nodeSource')['sourceName']) ?? asText(pool['nodeImageName']) ?? ''
  const [, version] = /^Oracle-Linux-(\d+)\b.*-OKE-/.exec(name) ?? []
  if (version !== undefined)
    return { imageType: 'OKEImage', imageFilter: { osFilter: 'Oracle Linux', osVersionFilter: version } }
  const imageId = asText(source['imageId']) ?? asText(pool['nodeImageId'])
  return imageId === undefined ? undefined : { imageType: 'OKEImage', imageId }
}

const groups = (ids: unknown) => {
  const list = asTexts(ids)
  return list.length === 0 ? {} : { networkSecurityGroupConfigs: list.map((id) => ({ networkSecurityGroupId: id })) }
}

/** Returns the network interfaces for pods with VCN addresses, or undefined if the cluster has none. */
const podVnics = (pool: Loose): Secondary | undefined => {
  const option = looseIn(looseIn(pool, 'nodeConfigDetails'), 'nodePoolPodNetworkOptionDetails')
  const [subnetId] = asTexts(option['podSubnetIds'])
  if (option['cniType'] !== 'OCI_VCN_IP_NATIVE' || subnetId === undefined) return undefined
  const count = Math.max(1, Math.ceil((asPositive(option['maxPodsPerNode']) ?? PODS) / PODS))
  return Array.from({ length: count }, () => ({
    ...{ subnetConfig: { subnetId }, ipCount: ADDRESSES },
    ...groups(option['podNsgIds']),
  }))
}

const kubeletConfig = (pool: Loose, extraArgs: string | undefined) => {
  const maxPods = asPositive(
    looseIn(looseIn(pool, 'nodeConfigDetails'), 'nodePoolPodNetworkOptionDetails')['maxPodsPerNode'],
  )
  const kubelet = present({ maxPods, extraArgs })
  return Object.keys(kubelet).length === 0 ? undefined : kubelet
}

const reservations = (pool: Loose) => {
  const ids = new Set(placementsIn(pool).flatMap(({ capacityReservationId: id }) => asText(id) ?? []))
  return ids.size === 0 ? undefined : [...ids].map((capacityReservationId) => ({ capacityReservationId }))
}

const metadata = (pool: Loose) => {
  const { 'kubelet-extra-args': _args, user_data: _script, ...own } = asTextMap(pool['nodeMetadata'])
  return Object.keys(own).length === 0 ? undefined : own
}

const namespaced = (tags: unknown) => {
  const entries = Object.entries(isLoose(tags) ? tags : {}).flatMap(([namespace, values]) =>
    isLoose(values) && Object.keys(values).length > 0 ? [[namespace, asTextMap(values)] as const] : [],
  )
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const freeform = (tags: unknown) => {
  const own = asTextMap(tags)
  return Object.keys(own).length === 0 ? undefined : own
}

/** Returns the size of a flexible shape, or undefined for a fixed shape. */
export const shapeSize = (pool: Loose): { readonly ocpus: number; readonly memoryInGbs: number } | undefined => {
  const config = looseIn(pool, 'nodeShapeConfig')
  const [ocpus, memoryInGbs] = [asNumber(config['ocpus']), asNumber(config['memoryInGBs'])]
  const isFlexible = (asText(pool['nodeShape']) ?? '').endsWith('.Flex')
  return ocpus === undefined || memoryInGbs === undefined || !isFlexible ? undefined : { ocpus, memoryInGbs }
}

/**
 * Returns the spec of an OCINodeClass for an OKE node pool.
 *
 * @param extraArgs the kubelet's arguments, except the taints, which belong to the NodePool
 */
export const draftSpec = (pool: Loose, extraArgs: string | undefined): Partial<OracleNodeClassSpec> => {
  const details = looseIn(pool, 'nodeConfigDetails')
  const size = shapeSize(pool)
  const [subnetId] = nodeSubnets(pool)
  const image = imageConfig(pool)
  const keyId = asText(details['kmsKeyId'])
  const bootVolumeConfig = present({
    imageConfig: image,
    sizeInGBs: asNumber(looseIn(pool, 'nodeSourceDetails')['bootVolumeSizeInGBs']),
    kmsKeyConfig: keyId === undefined ? undefined : { kmsKeyId: keyId },
    pvEncryptionInTransit: details['isPvEncryptionInTransitEnabled'] === true ? true : undefined,
  })
  const key = asText(pool['sshPublicKey'])
  const spec = present({
    shapeConfigs: size === undefined ? undefined : [size],
    nodeCompartmentId: asText(pool['compartmentId']),
    volumeConfig: image === undefined ? undefined : { bootVolumeConfig },
    networkConfig:
      subnetId === undefined
        ? undefined
        : {
            primaryVnicConfig: { subnetConfig: { subnetId }, ...groups(details['nsgIds']) },
            ...present({ secondaryVnicConfigs: podVnics(pool) }),
          },
    capacityReservationConfigs: reservations(pool),
    metadata: metadata(pool),
    kubeletConfig: kubeletConfig(pool, extraArgs),
    definedTags: namespaced(details['definedTags']),
    freeformTags: freeform(details['freeformTags']),
    sshAuthorizedKeys: key === undefined ? undefined : [key],
  })
  // The CRD validates the values.
  return spec as Partial<OracleNodeClassSpec>
}
