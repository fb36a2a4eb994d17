import { useMemo } from 'react'
import { useController } from '../cluster/use-controller.ts'
import { useKept } from '../cluster/use-kept.ts'
import { type BrowserPolicies, browserPolicies, NO_POLICIES } from '../model/browser-policies.ts'
import { useNow } from './use-now.ts'
import type { LoadedPolicies } from './with-policies.tsx'

const MINUTE = 60_000

/** The policies that the controller applies, in the form that the engine uses. */
export interface PoliciesInForce {
  readonly policies: BrowserPolicies
  /** The resource kinds of policies that the user is not allowed to list. */
  readonly forbidden: readonly string[]
  readonly isLoading: boolean
}

/** Returns the policies in force. With Karpenter's own controller, which does not know policies, there are none. */
export const usePoliciesInForce = (loaded: LoadedPolicies, pools: readonly unknown[]): PoliciesInForce => {
  const controller = useController()
  const now = useNow(MINUTE)
  const areInForce = controller === undefined || controller === 'none' || controller.isKerf
  const { clusterPolicies, poolPolicies } = loaded.objects
  const policies = useKept(
    useMemo(
      () => (areInForce ? browserPolicies({ clusterPolicies, poolPolicies }, pools, now) : NO_POLICIES),
      [areInForce, clusterPolicies, poolPolicies, pools, now],
    ),
  )
  return {
    policies,
    forbidden: areInForce ? loaded.forbidden : [],
    isLoading: loaded.isLoading || controller === undefined,
  }
}
