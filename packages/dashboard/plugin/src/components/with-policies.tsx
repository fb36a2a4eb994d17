import { type ReactNode, useMemo } from 'react'
import { policyClasses } from '../cluster/classes.ts'
import { isForbidden, useDiscovery } from '../cluster/discovery.ts'
import { useKindList } from '../cluster/use-list.ts'
import type { PolicyObjects } from '../model/browser-policies.ts'
import { servedKind } from '../model/served-kinds.ts'

/** The policies of the cluster, and the resource kinds that the user is not allowed to list. Their lists are empty. */
export interface LoadedPolicies {
  readonly objects: PolicyObjects
  readonly forbidden: readonly string[]
  readonly isLoading: boolean
}

type PolicyKind = keyof typeof policyClasses
type Children<T> = (loaded: T) => ReactNode

interface LoadedKind {
  readonly objects: readonly unknown[]
  readonly forbidden: readonly string[]
  readonly isLoading: boolean
}

const PLURALS: Readonly<Record<PolicyKind, string>> = {
  ClusterPolicy: 'clusterpolicies',
  NodePoolPolicy: 'nodepoolpolicies',
}
const NOT_SERVED: LoadedKind = { objects: [], forbidden: [], isLoading: false }

/** Lists one kind. A component of its own, because Headlamp's hook would request a kind that the cluster does not serve. */
const ListedKind = ({ kind, children }: { readonly kind: PolicyKind; readonly children: Children<LoadedKind> }) => {
  const { items, error, isLoading } = useKindList(policyClasses[kind])
  const objects = useMemo(() => (items ?? []).map(({ jsonData }) => jsonData), [items])
  return <>{children({ objects, forbidden: isForbidden(error) ? [PLURALS[kind]] : [], isLoading })}</>
}

interface KindProps {
  readonly isServed: boolean
  readonly kind: PolicyKind
  readonly children: Children<LoadedKind>
}

const WithKind = ({ isServed, kind, children }: KindProps) =>
  isServed ? <ListedKind kind={kind}>{children}</ListedKind> : <>{children(NOT_SERVED)}</>

/**
 * Passes the policies of the cluster to `children`. If the cluster does not serve a kind, or the user is not allowed to list it, the list
 * of that kind is empty.
 */
export const WithPolicies = ({ children }: { readonly children: Children<LoadedPolicies> }) => {
  const discovery = useDiscovery()
  const isServed = (kind: PolicyKind): boolean => servedKind(discovery, 'kerf.sh', kind) !== undefined
  return (
    <WithKind kind="ClusterPolicy" isServed={isServed('ClusterPolicy')}>
      {(cluster) => (
        <WithKind kind="NodePoolPolicy" isServed={isServed('NodePoolPolicy')}>
          {(pools) =>
            children({
              objects: { clusterPolicies: cluster.objects, poolPolicies: pools.objects },
              forbidden: [...cluster.forbidden, ...pools.forbidden],
              isLoading: discovery.state === 'asking' || cluster.isLoading || pools.isLoading,
            })
          }
        </WithKind>
      )}
    </WithKind>
  )
}
