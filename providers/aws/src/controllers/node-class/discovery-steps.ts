import { parseTime } from '@kerf/apis'
import { isKnownGood } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import type { AwsDeps } from '../../aws-deps.ts'
import {
  AliasWithoutImagesError,
  imagesOfAlias,
  nodeClassImages,
  UnsupportedAliasError,
} from '../../discovery/images.ts'
import { RoleMissingError } from '../../discovery/instance-profiles.ts'
import { familyTraits, isKnownFamily, nodeClassAmiFamily } from '../../node-class/ami-family.ts'
import type { EC2NodeClass } from '../../node-class/ec2-node-class.ts'
import type { Step, StepResult } from './step.ts'

const MINUTE = 60_000
const good = (type: string) => ({ type, status: 'True' }) as const
const bad = (type: string, reason: string, message: string) => ({ type, status: 'False', reason, message }) as const

/**
 * Returns the result for an alias without images. After a cluster upgrade, a pinned version may have no images, because AWS publishes a
 * version only for the Kubernetes versions of its time. In this case, the images that were found earlier stay in use.
 */
const withoutImages = (nodeClass: EC2NodeClass, { message }: AliasWithoutImagesError): StepResult => {
  const type = 'AMIsReady'
  const known = nodeClassImages(nodeClass)
  const isKept = isKnownGood(nodeClass, type) || imagesOfAlias(nodeClass).length === known.length
  if (known.length === 0 || !isKept)
    return {
      status: { amis: [] },
      condition: bad(type, 'AMINotFound', `${message}; choose a version of the alias that has an image, or @latest`),
      again: MINUTE,
    }
  const advice = `${message}, so the previous images stay in use; choose a version of the alias that has an image`
  return { condition: { ...good(type), message: advice }, again: MINUTE }
}

/**
 * Resolves images (`providers/aws/docs/spec/aws-node-class.md#conditions`, `providers/aws/docs/spec/aws.md#images`). If an alias can never
 * have images for the Kubernetes version, Kerf does not request them again.
 */
export const imagesStep = ({ images, cluster }: AwsDeps): Step => ({
  condition: 'AMIsReady',
  run: async (nodeClass, signal) => {
    const family = nodeClassAmiFamily(nodeClass.spec)
    if (!isKnownFamily(family))
      return {
        status: { amis: [] },
        condition: bad(
          'AMIsReady',
          'UnknownAMIFamily',
          `${family} is not a supported image family; set spec.amiFamily to one of ${Object.keys(familyTraits).join(', ')}`,
        ),
      }
    const version = cluster.version ?? (await cluster.readVersion(signal))
    try {
      const found = await images.find(nodeClass, version, signal)
      if (found.length === 0)
        return {
          status: { amis: [] },
          condition: bad(
            'AMIsReady',
            'AMINotFound',
            'amiSelectorTerms match no image for x86_64 or arm64; check IDs, names, owners and tags, and that the images are in this region',
          ),
          again: MINUTE,
        }
      const amis = found.map((image) => ({
        ...image,
        requirements: image.requirements.map(({ key, operator, values }) => ({
          key,
          operator,
          ...(values === undefined ? {} : { values }),
        })),
      }))
      return { status: { amis }, condition: good('AMIsReady'), again: 5 * MINUTE }
    } catch (error) {
      if (error instanceof AliasWithoutImagesError) return withoutImages(nodeClass, error)
      if (!(error instanceof UnsupportedAliasError)) throw error
      // Existing nodes keep running with the images found earlier.
      return { condition: bad('AMIsReady', 'UnsupportedAlias', error.message) }
    }
  },
})

/** Returns how long to wait before resolving the status again: until the next reservation ends, but at most a minute. */
const nextEnd = (ends: readonly (string | undefined)[], now: number): number =>
  Math.max(Math.min(MINUTE, ...ends.flatMap((end) => parseTime(end) ?? []).map((end) => end - now)), 0)

/** Resolves capacity reservations. Finding none is not an error. */
export const reservationsStep = ({ reservations, context }: AwsDeps): Step => ({
  condition: 'CapacityReservationsReady',
  run: async ({ spec }, signal) => {
    const capacityReservations = await reservations.find(spec.capacityReservationSelectorTerms ?? [], signal)
    return {
      status: { capacityReservations },
      condition: good('CapacityReservationsReady'),
      again: nextEnd(
        capacityReservations.map(({ endTime }) => endTime),
        context.clock.now(),
      ),
    }
  },
})

export const placementGroupStep = ({ groups }: AwsDeps): Step => ({
  condition: 'PlacementGroupReady',
  run: async ({ spec: { placementGroupSelector: selector } }, signal) => {
    const type = 'PlacementGroupReady'
    if (selector === undefined) return { condition: good(type) }
    const wanted = selector.id ?? selector.name ?? ''
    try {
      const group = await groups.find(selector, signal)
      if (group !== undefined) return { condition: good(type) }
      return {
        condition: bad(
          type,
          'PlacementGroupNotFound',
          `no usable placement group ${wanted} in this region; create it, or correct placementGroupSelector`,
        ),
        again: MINUTE,
      }
    } catch (error) {
      signal.throwIfAborted()
      const text = textOfThrown(error)
      return {
        unanswered: bad(
          type,
          'PlacementGroupResolutionFailed',
          `EC2 did not return placement group ${wanted}: ${text}`,
        ),
        error,
      }
    }
  },
})

export const subnetsStep = ({ subnets }: AwsDeps): Step => ({
  condition: 'SubnetsReady',
  run: async (nodeClass, signal) => {
    const type = 'SubnetsReady'
    const found = await subnets.find(nodeClass, signal)
    if (found.length === 0)
      return {
        status: { subnets: [] },
        condition: bad(type, 'SubnetsNotFound', 'subnetSelectorTerms match no subnet; check IDs, tags and the region'),
        again: MINUTE,
      }
    // The condition stays True, as in upstream, because addresses become free when nodes are deleted.
    const condition = subnets.areExhausted(found)
      ? {
          ...good(type),
          message: `none of the ${found.length} subnets has a free address, so no instance can be launched; select more subnets with subnetSelectorTerms, or free addresses`,
        }
      : good(type)
    return { status: { subnets: found }, condition, again: MINUTE }
  },
})

export const securityGroupsStep = ({ securityGroups }: AwsDeps): Step => ({
  condition: 'SecurityGroupsReady',
  run: async (nodeClass, signal) => {
    const type = 'SecurityGroupsReady'
    const found = await securityGroups.find(nodeClass, signal)
    return found.length === 0
      ? {
          status: { securityGroups: [] },
          condition: bad(
            type,
            'SecurityGroupsNotFound',
            'securityGroupSelectorTerms match no security group; check IDs, names, tags and the region',
          ),
          again: MINUTE,
        }
      : { status: { securityGroups: found }, condition: good(type), again: 5 * MINUTE }
  },
})

/**
 * Resolves the instance profile that the node class specifies, or creates one for the role of the node class
 * (`providers/aws/docs/spec/aws.md#instance-profiles`).
 */
export const instanceProfileStep = ({ profiles }: AwsDeps): Step => ({
  condition: 'InstanceProfileReady',
  run: async (nodeClass: EC2NodeClass, signal) => {
    const type = 'InstanceProfileReady'
    const { role, instanceProfile: given } = nodeClass.spec
    if (given !== undefined) return { status: { instanceProfile: given }, condition: good(type) }
    try {
      const instanceProfile = await profiles.ensure(nodeClass, role ?? '', signal)
      return { status: { instanceProfile }, condition: good(type) }
    } catch (error) {
      if (!(error instanceof RoleMissingError)) throw error
      // The condition is never False, as in upstream, because nodes with an earlier role keep running.
      return { condition: { type, status: 'Unknown', reason: 'RoleNotFound', message: error.message }, error }
    }
  },
})
