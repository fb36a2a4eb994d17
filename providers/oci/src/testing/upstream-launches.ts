import { readFileSync } from 'node:fs'
import type { Upstream } from '../names.ts'

type Fields = Readonly<Record<string, unknown>>

/** The requests that a public provider sent for a case of `launch-cases.ts`. */
export interface UpstreamLaunch {
  /** The body of LaunchInstance, without fields that are not set. */
  readonly body: Fields
  /** The labels and annotations that the provider wrote to the NodeClaim. They were recorded only for oracle/karpenter-provider-oci. */
  readonly claim?: {
    readonly metadata: {
      readonly labels: Readonly<Record<string, string>>
      readonly annotations: Readonly<Record<string, string>>
    }
  }
}

/** Removes nulls, empty objects and empty lists from a value. */
const withoutUnset = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutUnset)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, withoutUnset(each)] as const)
      .filter(([, each]) => each !== null && !(typeof each === 'object' && Object.keys(each ?? {}).length === 0)),
  )
}

/** Returns the requests that zoom/karpenter-oci ff0a12c or oracle/karpenter-provider-oci b26d656 sent, in the order of the cases. */
export const upstreamLaunches = (upstream: Upstream): readonly UpstreamLaunch[] =>
  readFileSync(new URL(`${upstream}-launches.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Returns the object in the format of a request, without fields that are not set. */
export const asSent = (details: object): Fields => withoutUnset(JSON.parse(JSON.stringify(details))) as Fields
