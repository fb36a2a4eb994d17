import { reasonSentence, schedule } from '@kerf/engine'
import { loadSnapshot } from '../../../packages/cli/src/plan/load-snapshot.ts'
import { planDocument } from '../../../packages/cli/src/plan/plan-document.ts'
import type { PlanDocument } from './documents.ts'
import { pricedPlan } from './priced-plan.ts'
import type { Scenario } from './scenario.ts'

/**
 * Returns the plan that `kerf plan -o json` prints for a scenario.
 * @param planBudget work units of the improvement pass; 0 disables it. By default, the engine chooses.
 */
export const planScenario = async (
  { clusterFile, catalogueFile }: Scenario,
  planBudget?: number,
): Promise<PlanDocument> => {
  const { snapshot, pending, options } = await loadSnapshot([clusterFile], catalogueFile)
  const plan = schedule(snapshot, pending, { ...options, ...(planBudget === undefined ? {} : { planBudget }) })
  return pricedPlan(planDocument(plan, reasonSentence))
}
