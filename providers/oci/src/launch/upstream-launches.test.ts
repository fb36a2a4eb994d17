import { execFileSync } from 'node:child_process'
import { labels, type NodeClaim, toWhole, zero } from '@kerf/apis'
import { singleValue } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { instanceMetadata } from '../bootstrap/instance-metadata.ts'
import { apiShapeFacts } from '../instance-types/api-shape-facts.ts'
import { ociTypes } from '../instance-types/instance-types.ts'
import type { Upstream } from '../names.ts'
import { communityNodeClassDescriptor } from '../node-class/community-descriptor.ts'
import { resolveCommunityClass } from '../node-class/community-resolution.ts'
import { oracleNodeClassDescriptor } from '../node-class/oracle-descriptor.ts'
import { resolveOracleClass } from '../node-class/oracle-resolution.ts'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import { AVAILABILITY_DOMAINS, COMPARTMENT, IMAGE, SUBNET, TAG_NAMESPACE } from '../testing/fake-oci/names.ts'
import { communityLaunchCases, oracleLaunchCases } from '../testing/launch-cases.ts'
import { shapesOfCases } from '../testing/type-cases.ts'
import { market, typeSettings } from '../testing/type-samples.ts'
import { asSent, upstreamLaunches } from '../testing/upstream-launches.ts'
import { isPreemptible, launchDetails } from './launch-details.ts'

type Fields = Readonly<Record<string, unknown>>

const facts = shapesOfCases().map(apiShapeFacts)

const own = (nodeClass: ResolvedClass, claim: Pick<NodeClaim, 'metadata' | 'spec'>, typeName: string): Fields => {
  const full: NodeClaim = { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', ...claim }
  const types = ociTypes(facts, nodeClass, claim.spec.taints ?? [], market, typeSettings)
  const found = types.find(({ type }) => type.name === typeName)
  const wanted = claim.metadata.labels?.[labels.capacityType]
  const offering = found?.type.offerings.find(
    ({ requirements }) => singleValue(requirements, labels.capacityType) === wanted,
  )
  if (found === undefined || offering === undefined) throw new Error(`${typeName} is not offered`)
  const option = { type: found.type, offering }
  const metadata = instanceMetadata(
    {
      ...{ claim: full, nodeClass, subnetId: SUBNET, isPreemptible: isPreemptible(nodeClass, option) },
      labels: claim.metadata.labels ?? {},
      maxPods: toWhole(found.type.capacity['pods'] ?? zero),
    },
    {
      ...{ endpoint: 'https://10.0.0.10:6443', dns: '10.96.0.10', bootstrapToken: 'abc.def', isVcnNative: false },
      caBundle: nodeClass.upstream === 'community' ? 'Q0E=' : Buffer.from('CA').toString('base64'),
    },
  )
  const details = launchDetails(
    {
      ...{ claim: full, nodeClass, option, size: found.size, metadata, imageId: IMAGE, subnetId: SUBNET },
      compartmentId: nodeClass.compartmentId ?? COMPARTMENT,
      availabilityDomain: AVAILABILITY_DOMAINS[0],
    },
    { clusterName: 'demo', tagNamespace: TAG_NAMESPACE },
  )
  return asSent(details)
}

const resolved: Readonly<Record<Upstream, readonly Fields[]>> = {
  community: communityLaunchCases.map(({ spec, claim, type, nsgs }) => {
    const status = { securityGroups: nsgs.map((id) => ({ id })) }
    return own(resolveCommunityClass({ ...communityNodeClassDescriptor.example, spec, status }), claim, type)
  }),
  oracle: oracleLaunchCases.map(({ spec, claim, type, nsgs }) => {
    const networkSecurityGroups = nsgs.map((networkSecurityGroupId) => ({ networkSecurityGroupId }))
    const status = { network: { primaryVnic: { networkSecurityGroups } } }
    return own(resolveOracleClass({ ...oracleNodeClassDescriptor.example, spec, status }), claim, type)
  }),
}

/**
 * Returns the request without the fields that differ deliberately (`providers/oci/docs/spec/oci.md#compared-with-the-public-providers`).
 */
const comparable = (body: Fields): Fields => {
  const { metadata: _metadata, freeformTags: _tags, isPvEncryptionInTransitEnabled: encryption, ...rest } = body
  const { baselineOcpuUtilization: baseline, ...shapeConfig } = (rest['shapeConfig'] ?? {}) as Fields
  const { preemptionAction } = (rest['preemptibleInstanceConfig'] ?? {}) as { readonly preemptionAction?: Fields }
  return {
    ...rest,
    ...(encryption === true ? { isPvEncryptionInTransitEnabled: true } : {}),
    ...(Object.keys(shapeConfig).length === 0
      ? {}
      : {
          shapeConfig: {
            ...shapeConfig,
            ...(baseline === undefined || baseline === 'BASELINE_1_1' ? {} : { baseline }),
          },
        }),
    ...(preemptionAction === undefined ? {} : { preemptibleInstanceConfig: preemptionAction['type'] }),
  }
}

const upstreams: readonly Upstream[] = ['community', 'oracle']

test.each(upstreams)('the requests of the %s kind have the same fields as those of the public provider', (upstream) => {
  const theirs = upstreamLaunches(upstream)
  expect(theirs).toHaveLength(resolved[upstream].length)
  expect(resolved[upstream].map(comparable)).toEqual(theirs.map(({ body }) => comparable(body)))
})

test.each(upstreams)(
  'the requests of the %s kind have the free-form tags of the public provider and those of Kerf',
  (upstream) => {
    for (const [index, { body }] of upstreamLaunches(upstream).entries())
      expect(resolved[upstream][index]?.['freeformTags'] ?? {}).toMatchObject((body['freeformTags'] ?? {}) as object)
  },
)

/** Returns the arguments that a script passes to an install script, after Bash has split them. Sorts lists within an argument. */
const installArguments = (script: string): readonly string[] => {
  const command = /^bash \S+install\.sh --?(?:.|\\\n)*|^bash \S+install\.sh \\\n(?:.*\\\n)*.*/m.exec(script)?.[0] ?? ''
  const shown = command
    .replace(/^bash \S+/, String.raw`printf '%s\0'`)
    .replace(/\n--\/\/[\s\S]*$/, '')
    .replace(/\\\n> \S+\s*$/, '')
  return execFileSync('bash', ['-c', shown], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

const isSorted = (argument: string): string =>
  argument
    .trim()
    .split(/\s+/)
    .map((each) => {
      const at = each.indexOf('=')
      if (at < 0) return each
      const [quote = ''] = /^["']/.exec(each.slice(at + 1)) ?? []
      const list = each.slice(at + 1).replaceAll(/["']/g, '')
      return `${each.slice(0, at)}=${quote}${list.split(',').toSorted().join(',')}${quote}`
    })
    .join(' ')

const scriptOf = (body: Fields): string =>
  Buffer.from(String((body['metadata'] as Fields)['user_data'] ?? ''), 'base64').toString()

test.each(upstreams)(
  'the metadata of the %s kind has the same keys and values as in the public provider',
  (upstream) => {
    const texts = ({ user_data: _script, ...metadata }: Fields): Fields =>
      Object.fromEntries(
        Object.entries(metadata).map(([key, value]) => [key, String(value).replaceAll('"', '')] as const),
      )
    expect(resolved[upstream].map(({ metadata }) => texts(metadata as Fields))).toEqual(
      upstreamLaunches(upstream).map(({ body }) => texts(body['metadata'] as Fields)),
    )
  },
)

test.each(upstreams)('the scripts of the %s kind pass the same arguments as in the public provider', (upstream) => {
  // zoom/karpenter-oci does not set the taint that keeps pods away until the node is registered.
  const taintsOf = (text: string): string =>
    text
      .replace(/,?karpenter\.sh\/unregistered(?:=\w+)?:NoExecute/, '')
      .replace(/ ?--register-with-taints=(?:""|'')?(?= |$)/, '')
      .trim()
  // zoom/karpenter-oci always applies the pod limit of the network interfaces. Kerf applies it only with native pod networking.
  const podsOf = (text: string): string =>
    upstream === 'community' ? text.replace(/--max-pods=(?:31|110)\b/, '') : text
  const told = (body: Fields): readonly string[] =>
    installArguments(scriptOf(body)).map(isSorted).map(taintsOf).map(podsOf)
  expect(resolved[upstream].map(told)).toEqual(upstreamLaunches(upstream).map(({ body }) => told(body)))
})

test.each(upstreams)('the scripts of the %s kind contain the scripts of the class at the same position', (upstream) => {
  const places = (body: Fields): readonly string[] =>
    ['echo first', 'prepare', 'echo before', 'install.sh --apiserver', 'echo after', '#cloud-config']
      .flatMap((part) => {
        const at = scriptOf(body).indexOf(part)
        return at < 0 ? [] : [{ part, at }]
      })
      .toSorted((a, b) => a.at - b.at)
      .map(({ part }) => part)
  expect(resolved[upstream].map(places)).toEqual(upstreamLaunches(upstream).map(({ body }) => places(body)))
})
