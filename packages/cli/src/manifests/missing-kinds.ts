import { nearest } from '@kerf/runtime'
import { builtinKindNames } from '@kerf/sandbox/manifest-check'
import { legacyKind } from '../providers.ts'
import { karpenterResource, karpenterResources, resourceApiVersion } from './karpenter-kinds.ts'
import type { Manifest } from './manifest.ts'

const groups = new Set(karpenterResources.map(({ kind }) => kind.group))
/** Karpenter's kinds from before v1. */
const FORMER: ReadonlySet<string> = new Set(['Provisioner', 'Machine', legacyKind])

/**
 * Returns whether a known kind may be the correct spelling: it has the same first letter and a similar length. Without this check, Kerf
 * would report a kind that is newer than this Kerf as a typo.
 */
const looksLike =
  (kind: string) =>
  (known: string): boolean =>
    known[0]?.toLowerCase() === kind[0]?.toLowerCase() && Math.abs(known.length - kind.length) <= 2

/** A kind that no cluster serves. */
export interface MissingKind {
  /** The problem and the remedy. */
  readonly text: string
  /** The kind that the user probably meant. */
  readonly meant: { readonly apiVersion: string; readonly kind: string }
}

/**
 * Returns the problem if the kind cannot exist in a cluster: an old version of a Karpenter kind, or a typo. Returns undefined for
 * any other kind.
 */
export const noSuchKind = ({ object, file }: Manifest): MissingKind | undefined => {
  const { apiVersion, kind } = object
  if (karpenterResource(object) !== undefined) return undefined
  const group = apiVersion.split('/')[0] ?? ''
  if (!groups.has(group)) {
    const known = builtinKindNames(apiVersion)
    const meant = known.includes(kind) ? undefined : nearest(kind, known.filter(looksLike(kind)))
    if (meant === undefined) return undefined
    const text = `there is no kind ${kind} in ${apiVersion}, did you mean ${meant}?`
    return { text, meant: { apiVersion, kind: meant } }
  }
  const same = karpenterResources.find((resource) => resource.kind.group === group && resource.kind.kind === kind)
  if (/\/v1(alpha|beta)\d+$/.test(apiVersion) && (same !== undefined || FORMER.has(kind))) {
    const path = file.startsWith('(') ? '-' : file
    const text = `${apiVersion} is not served; convert it to v1: kerf migrate manifests -f ${path}`
    return { text, meant: object }
  }
  const meant =
    same === undefined
      ? nearest(
          kind,
          karpenterResources.map((resource) => resource.kind.kind),
        )
      : undefined
  const known = karpenterResources.find((resource) => resource.kind.kind === (same?.kind.kind ?? meant))
  if (known === undefined) return undefined
  const [version, name] = [resourceApiVersion(known), known.kind.kind]
  return {
    text: `there is no kind ${kind} in ${apiVersion}, did you mean ${name} of ${version}?`,
    meant: { apiVersion: version, kind: name },
  }
}
