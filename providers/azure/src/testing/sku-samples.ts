import { readFileSync } from 'node:fs'
import type { ResourceSku } from '../api/compute-shapes.ts'

interface Sample {
  readonly name: string
  readonly location: string
  readonly size: string
  readonly family: string
  readonly zones: readonly string[]
  readonly capabilities: Readonly<Record<string, string>>
}

/**
 * Returns 32 entries of the resource SKUs API, in its format, for two locations: one with three zones and one without zones. They come from
 * the tests of karpenter-provider-azure 352646f (Apache-2.0).
 */
export const skuSamples = (): readonly ResourceSku[] =>
  readFileSync(new URL('sku-samples.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line): ResourceSku => {
      const { name, location, size, family, zones, capabilities }: Sample = JSON.parse(line)
      return {
        ...{ name, size, family, resourceType: 'virtualMachines', locations: [location] },
        locationInfo: [{ location, zones }],
        capabilities: Object.entries(capabilities).map(([key, value]) => ({ name: key, value })),
        restrictions: [],
      }
    })
