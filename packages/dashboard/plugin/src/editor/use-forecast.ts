import { useEffect, useMemo, useState } from 'react'
import { isKnown, isLoaded, liveItems, type LiveName, useLive } from '../cluster/live-objects.tsx'
import { useClusterObjects } from '../cluster/use-objects.ts'
import { usePoliciesInForce } from '../components/use-policies-in-force.ts'
import type { LoadedPolicies } from '../components/with-policies.tsx'
import type { EditedObjects } from '../model/edit-forecast.ts'

const BUDGETS: readonly LiveName[] = ['disruptionBudgets']

/** Returns the objects for the forecast. Includes the PodDisruptionBudgets if the user is allowed to list them, and the policies in force. */
export const useEditedObjects = (loaded: LoadedPolicies) => {
  const { objects, isLoading, ...rest } = useClusterObjects()
  const lists = useLive(BUDGETS)
  const areBudgetsKnown = isKnown(lists, 'disruptionBudgets')
  const disruptionBudgets = liveItems(lists, 'disruptionBudgets')
  const { policies, forbidden, isLoading: arePoliciesLoading } = usePoliciesInForce(loaded, objects.pools)
  const edited = useMemo<EditedObjects>(
    () => ({ ...objects, ...(areBudgetsKnown ? { disruptionBudgets } : {}), policies }),
    [objects, disruptionBudgets, areBudgetsKnown, policies],
  )
  return {
    ...rest,
    objects: edited,
    areBudgetsKnown,
    forbiddenPolicies: forbidden,
    isLoading: isLoading || !isLoaded(lists, 'disruptionBudgets') || arePoliciesLoading,
  }
}

interface Problem {
  readonly problem: string
}

/**
 * Returns the result of a computation about the edited text, or undefined while it is not computed yet. Waits until the user stops typing,
 * because a plan for many pods takes time.
 */
export const useForecast = <Result extends object>(
  compute: (() => Result | undefined) | undefined,
  inputs: readonly unknown[],
): { readonly result: Result | undefined } | Problem | undefined => {
  const [found, setFound] = useState<{ readonly result: Result | undefined } | Problem>()
  useEffect(() => {
    if (compute === undefined) return undefined
    const timer = setTimeout(() => {
      try {
        setFound({ result: compute() })
      } catch (error) {
        setFound({ problem: error instanceof Error ? error.message : String(error) })
      }
    }, 400)
    return () => clearTimeout(timer)
  }, [compute === undefined, ...inputs])
  return found
}
