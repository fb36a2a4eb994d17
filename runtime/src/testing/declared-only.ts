import type { KubeClient } from '../kube-client.ts'
import { guardedClient, type UndeclaredCallError } from '../rights/guarded-client.ts'
import type { Right, RightOption } from '../rights/right.ts'

const refusals: UndeclaredCallError[] = []

/**
 * The client of a tested Kerf: it refuses what the rights do not cover, and the test in which that happens fails, whatever
 * the caller makes of the error (`test/setup/declared-rights.ts`).
 */
export const declaredOnly = (
  client: KubeClient,
  rights: readonly Right[],
  options: readonly RightOption[] = [],
  namespace = 'kube-system',
): KubeClient =>
  guardedClient(client, { rights, options, namespace, onRefusal: (refusal) => void refusals.push(refusal) })

/** The refusals since the last call. */
export const takeRefusals = (): readonly UndeclaredCallError[] => refusals.splice(0)
