import { type KubeObject, ownField, ownValue } from '@kerf/apis'
import type { RegionEvidence } from '@kerf/provider-contract'
import { regionOfObjects as findRegion } from '@kerf/provider-kit'
import { COMMUNITY_GROUP, ORACLE_GROUP } from './names.ts'

/** The facts about a region from which zone names are derived. */
interface RegionFacts {
  /** The region's key in OCIDs. */
  readonly key?: string
  /** The part of an availability domain's name before `-AD-1`. */
  readonly domain: string
  readonly domains: 1 | 3
}

/** Regions of the commercial realm (Oracle's documentation of regions). All of them have the same prices. */
const REGIONS: Readonly<Record<string, RegionFacts>> = {
  'ap-mumbai-1': { domain: 'AP-MUMBAI-1', domains: 1 },
  'ap-osaka-1': { domain: 'AP-OSAKA-1', domains: 1 },
  'ap-seoul-1': { domain: 'AP-SEOUL-1', domains: 1 },
  'ap-singapore-1': { domain: 'AP-SINGAPORE-1', domains: 1 },
  'ap-sydney-1': { domain: 'AP-SYDNEY-1', domains: 1 },
  'ap-tokyo-1': { domain: 'AP-TOKYO-1', domains: 1 },
  'ca-toronto-1': { domain: 'CA-TORONTO-1', domains: 1 },
  'eu-amsterdam-1': { domain: 'EU-AMSTERDAM-1', domains: 1 },
  'eu-frankfurt-1': { domain: 'EU-FRANKFURT-1', domains: 3 },
  'eu-zurich-1': { domain: 'EU-ZURICH-1', domains: 1 },
  'sa-saopaulo-1': { domain: 'SA-SAOPAULO-1', domains: 1 },
  'uk-london-1': { domain: 'UK-LONDON-1', domains: 3 },
  'us-ashburn-1': { key: 'iad', domain: 'US-ASHBURN', domains: 3 },
  'us-phoenix-1': { key: 'phx', domain: 'PHX', domains: 3 },
  'us-sanjose-1': { domain: 'US-SANJOSE-1', domains: 1 },
}

/** The regions whose zones are in Kerf's tables. */
export const offlineRegions: readonly string[] = Object.keys(REGIONS)

/** The region that Kerf assumes if neither the user nor the cluster specifies one. */
export const USUAL_REGION = 'us-ashburn-1'

/** Returns the zones of a region, or undefined if the region is not in Kerf's tables. */
export const offlineZones = (region: string): readonly string[] | undefined => {
  const facts = ownValue(REGIONS, region)
  return facts && Array.from({ length: facts.domains }, (_, index) => `${facts.domain}-AD-${index + 1}`)
}

const byKey = new Map(Object.entries(REGIONS).flatMap(([name, { key = name }]) => [[key, name] as const]))
const byDomain = new Map(Object.entries(REGIONS).map(([name, { domain }]) => [domain, name]))

/** Returns the region in a text, which may be a region, a zone such as `PHX-AD-1`, or an OCID. Returns undefined for any other text. */
const regionIn = (text: string): string | undefined => {
  if (ownValue(REGIONS, text) !== undefined) return text
  const [, domain] = /^(?:[^:]+:)?([A-Z0-9-]+)-AD-\d$/.exec(text) ?? []
  if (domain !== undefined) return byDomain.get(domain)
  const [prefix, , , key = ''] = text.split('.')
  return prefix === 'ocid1' ? byKey.get(key) : undefined
}

/** Returns the region that the objects of a cluster are in. The OCIDs in a node class contain the region. */
export const regionOfObjects = (objects: readonly KubeObject[]): RegionEvidence | undefined =>
  findRegion(objects, {
    regionIn,
    classValues: (object) => {
      const group = object.apiVersion?.split('/')[0]
      return group === COMMUNITY_GROUP || group === ORACLE_GROUP ? [ownField(object, 'spec')] : undefined
    },
  })
