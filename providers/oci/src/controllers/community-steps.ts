import { labels } from '@kerf/apis'
import type { Step, StepResult } from '@kerf/provider-kit'
import type { OciImage } from '../api/oci-shapes.ts'
import { communityLabels } from '../names.ts'
import { communityProblems } from '../node-class/class-problems.ts'
import type { CommunityNodeClass, CommunityNodeClassSpec } from '../node-class/community-node-class.ts'
import type { Compartments } from '../settings/oci-options.ts'
import { byId, type CloudLookup, collected, type Found } from './lookup.ts'

type ClassStep = Step<CommunityNodeClass>
type ImageTerm = CommunityNodeClassSpec['imageSelector'][number]
type NamedTerm = CommunityNodeClassSpec['subnetSelector'][number]

const AGAIN = 5 * 60_000
const MISSING_AGAIN = 60_000

export interface CommunitySteps {
  readonly api: CloudLookup
  readonly compartments: Compartments
  readonly tagNamespace: string
}

/** Returns the condition of a selector: False if no term has a match, otherwise True with a message about the terms without a match. */
const outcome = (
  type: string,
  reason: string,
  { found, problems }: { readonly found: readonly unknown[]; readonly problems: readonly string[] },
): Pick<StepResult<CommunityNodeClass>, 'condition' | 'again'> => ({
  condition:
    found.length === 0
      ? { type, status: 'False', reason, message: problems.join('; ') }
      : { type, status: 'True', ...(problems.length === 0 ? {} : { message: problems.join('; ') }) },
  again: problems.length === 0 ? AGAIN : MISSING_AGAIN,
})

/**
 * Returns the requirements of an image. The name of an OKE image shows its processor and whether it has GPU drivers. Names of other images
 * have no such format.
 */
const requirements = ({ displayName }: OciImage, family: string) => {
  if (family === 'Ubuntu2204' || family === 'Custom') return []
  const name = displayName.toLowerCase()
  return [
    { key: labels.arch, operator: 'In', values: [name.includes('aarch64') ? 'arm64' : 'amd64'] },
    ...(name.includes('gpu') ? [{ key: communityLabels.gpu, operator: 'Exists' }] : []),
  ]
}

/**
 * Orders images: GPU images come first, because a GPU instance type could also boot the others. Within each group, newer images come first.
 */
const byPreference = (a: OciImage, b: OciImage): number =>
  Number(/gpu/i.test(b.displayName)) - Number(/gpu/i.test(a.displayName)) ||
  Date.parse(b.timeCreated) - Date.parse(a.timeCreated) ||
  (a.id < b.id ? -1 : 1)

const imageStep = ({ api, compartments }: CommunitySteps): ClassStep => ({
  condition: 'ImageReady',
  run: async ({ spec }, signal) => {
    const find = async ({ id, name = '', compartmentId = '' }: ImageTerm): Promise<Found<OciImage>> => {
      if (id !== undefined) return await byId('the image', id, () => api.image(id, signal))
      const compartment = compartmentId || compartments.nodes
      const images = await api.images({ compartmentId: compartment, displayName: name }, signal)
      return images.length > 0
        ? images
        : {
            problem: `there is no available image with the name ${JSON.stringify(name)} in the compartment ${compartment}`,
          }
    }
    const results = await Promise.all((spec?.imageSelector ?? []).map(find))
    const { found, problems } = collected(results)
    const images = [...new Map(found.map((image) => [image.id, image])).values()].toSorted(byPreference)
    return {
      status: {
        images: images.map((image) => ({
          id: image.id,
          name: image.displayName,
          compartmentId: image.compartmentId,
          requirements: requirements(image, spec?.imageFamily ?? ''),
        })),
      },
      ...outcome('ImageReady', 'ImagesNotFound', { found, problems }),
    }
  },
})

interface Named {
  readonly id: string
  readonly displayName: string
}

/** Finds networks by OCID, or by name within the network of the class. */
const named = async (
  what: string,
  terms: readonly NamedTerm[],
  read: (id: string) => Promise<Named>,
  list: (name: string) => Promise<readonly Named[]>,
) => {
  const find = async ({ id, name = '' }: NamedTerm): Promise<Found<Named>> => {
    if (id !== undefined) return await byId(`the ${what}`, id, () => read(id))
    const found = await list(name)
    return found.length > 0
      ? found
      : { problem: `there is no ${what} with the name ${JSON.stringify(name)} in the network of the class` }
  }
  const { found, problems } = collected(await Promise.all(terms.map(find)))
  const unique = [...new Map(found.map((each) => [each.id, each])).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return { found, problems, entries: unique.map(({ id, displayName }) => ({ id, name: displayName })) }
}

const subnetStep = ({ api, compartments }: CommunitySteps): ClassStep => ({
  condition: 'SubnetsReady',
  run: async ({ spec }, signal) => {
    const query = (displayName: string) => ({
      ...{ compartmentId: compartments.network, displayName },
      vcnId: spec?.vcnId ?? '',
    })
    const { entries, ...result } = await named(
      'subnet',
      spec?.subnetSelector ?? [],
      (id) => api.subnet(id, signal),
      (name) => api.subnets(query(name), signal),
    )
    return { status: { subnets: entries }, ...outcome('SubnetsReady', 'SubnetsNotFound', result) }
  },
})

const groupStep = ({ api, compartments }: CommunitySteps): ClassStep => ({
  condition: 'SecurityGroupsReady',
  run: async ({ spec }, signal) => {
    const query = (displayName: string) => ({
      ...{ compartmentId: compartments.network, displayName },
      vcnId: spec?.vcnId ?? '',
    })
    const { entries, ...result } = await named(
      'network security group',
      spec?.securityGroupSelector ?? [],
      (id) => api.networkSecurityGroup(id, signal),
      (name) => api.networkSecurityGroups(query(name), signal),
    )
    return {
      status: { securityGroups: entries },
      ...outcome('SecurityGroupsReady', 'SecurityGroupsNotFound', result),
    }
  },
})

const validationStep = ({ tagNamespace }: CommunitySteps): ClassStep => ({
  condition: 'ValidationSucceeded',
  run: async (nodeClass) => {
    const problems = communityProblems(nodeClass, tagNamespace)
    return {
      condition:
        problems.length === 0
          ? { type: 'ValidationSucceeded', status: 'True' }
          : { type: 'ValidationSucceeded', status: 'False', reason: 'Invalid', message: problems.join('; ') },
    }
  },
})

/** Returns the steps that resolve an OciNodeClass, in the order of its conditions. */
export const communitySteps = (deps: CommunitySteps): readonly ClassStep[] => [
  imageStep(deps),
  subnetStep(deps),
  groupStep(deps),
  validationStep(deps),
]
