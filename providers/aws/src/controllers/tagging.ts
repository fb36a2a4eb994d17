import { labels } from '@kerf/apis'
import { ClaimTagging, type Tags } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import type { AwsDeps } from '../aws-deps.ts'
import { awsEvents } from '../aws-events.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { isOwnClaim } from '../instances/claim-index.ts'
import { parseProviderId } from '../instances/provider-id.ts'
import { awsAnnotations, awsTags, clusterTag } from '../labels.ts'

/** The pause between two CreateTags calls. EC2 throttles CreateTags together with launches. */
const PAUSE = 1_000

/**
 * The tags that the controller's IAM policy allows on running instances (`providers/aws/docs/spec/aws-installation.md`,
 * AllowScopedResourceTagging).
 */
const ALLOWED: ReadonlySet<string> = new Set([awsTags.name, awsTags.nodeClaim, awsTags.clusterName])

const tagText = (tags: Tags): string =>
  Object.entries(tags)
    .map(([key, value]) => `Key=${key},Value=${value}`)
    .join(' ')

/**
 * Returns the controller that tags instances with the names of their node and NodeClaim (`providers/aws/docs/spec/aws-controllers.md#tagging`).
 */
export const nodeClaimTagging = ({ context, instances, claims, cluster }: AwsDeps): Controller =>
  new ClaimTagging({
    context,
    instances: {
      get: (id, signal) => instances.get(id, 'cloud', signal),
      knownTags: (id) => instances.knownTags(id),
      tag: (id, tags, signal) => instances.tag(id, tags, signal),
      onUntagged: (listener) => instances.onUntagged(listener),
    },
    isOwn: isOwnClaim,
    claimsOf: (instanceId) => claims.claimsOf(instanceId),
    instanceIdOf: ({ status }) => parseProviderId(status?.providerID)?.instanceId,
    cloud: 'AWS',
    doneAnnotations: [awsAnnotations.tagged, awsAnnotations.clusterNameTagged],
    tagsOf: ({ metadata, status }) => ({
      [awsTags.name]: status?.nodeName ?? '',
      [awsTags.nodeClaim]: metadata.name,
      [awsTags.clusterName]: cluster.name,
    }),
    ownerTagsOf: ({ metadata, spec }) => ({
      [clusterTag(cluster.name)]: 'owned',
      [awsTags.clusterName]: cluster.name,
      [awsTags.nodePool]: metadata.labels?.[labels.nodePool] ?? '',
      [awsTags.nodeClass]: spec.nodeClassRef.name,
    }),
    isAllowed: (tag) => ALLOWED.has(tag),
    isRefusal: (error) => classifyAwsFailure(error).class === 'unauthorized',
    remedyFor: (id, tags) => `run "aws ec2 create-tags --resources ${id} --tags ${tagText(tags)}"`,
    eventReason: awsEvents.reason('InstanceTagsMissing'),
    pause: PAUSE,
  }).controller()
