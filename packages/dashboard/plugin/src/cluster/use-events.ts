import { useMemo, useRef } from 'react'
import { type DecisionRow, decisionRows, type Scope } from '../model/decisions.ts'
import { joinNodes, keptJoin, NO_JOIN, type NodeJoin } from '../model/node-join.ts'
import { isForbidden } from './discovery.ts'
import { isLoaded, liveError, liveItems, type LiveName, useLive } from './live-objects.tsx'

const EVENTS: readonly LiveName[] = ['events']
const MACHINES: readonly LiveName[] = ['claims', 'nodes']

/** Returns which Node belongs to which NodeClaim. Returns the same object until that changes. */
export const useNodeJoin = (): NodeJoin => {
  const lists = useLive(MACHINES)
  const [claims, nodes] = [liveItems(lists, 'claims'), liveItems(lists, 'nodes')]
  const before = useRef(NO_JOIN)
  return useMemo(() => {
    before.current = keptJoin(before.current, joinNodes(claims, nodes))
    return before.current
  }, [claims, nodes])
}

interface Decisions {
  readonly rows: readonly DecisionRow[]
  readonly isForbidden: boolean
  readonly isLoading: boolean
}

const useRows = (scope: Scope, join: NodeJoin): Decisions => {
  const lists = useLive(EVENTS)
  const events = liveItems(lists, 'events')
  const rows = useMemo(() => decisionRows(events, scope, join), [events, scope, join])
  const mayNot = isForbidden(liveError(lists, 'events'))
  const isLoading = !isLoaded(lists, 'events')
  return useMemo(() => ({ rows, isForbidden: mayNot, isLoading }), [rows, mayNot, isLoading])
}

/**
 * Returns a live list of the autoscaler's decisions in a scope. An event about a Node and an event about its NodeClaim
 * count as one decision.
 */
export const useDecisions = (scope: Scope): Decisions => useRows(scope, useNodeJoin())

const EVERYTHING: Scope = { kind: 'cluster' }

/** Returns the autoscaler's decisions for pages that show only decisions about pods. Such a page needs no list of nodes. */
export const usePodDecisions = (): Decisions => useRows(EVERYTHING, NO_JOIN)
