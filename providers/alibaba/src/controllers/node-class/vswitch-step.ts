import type { Step } from '@kerf/provider-kit'
import { mapLimit } from '@kerf/runtime'
import type { AlibabaApi } from '../../api/actions.ts'
import { allVSwitches } from '../../api/pages.ts'
import type { VSwitchAddresses } from '../../launch/vswitch-addresses.ts'
import type { ECSNodeClass } from '../../node-class/ecs-node-class.ts'
import { selectsNothing, tagQuery, unmatchedText } from './selector-query.ts'

const TYPE = 'VSwitchesReady'
const AGAIN = 60_000
const MISSING_AGAIN = 15_000
const PARALLEL = 4

/**
 * Finds the vSwitches of a node class (`providers/alibaba/docs/spec/alibaba.md#status`). They are sorted by ID, so that launches do not
 * change the list.
 */
export const vSwitchStep = (
  { api, region }: { readonly api: AlibabaApi; readonly region: string },
  addresses: Pick<VSwitchAddresses, 'learn'>,
): Step<ECSNodeClass> => ({
  condition: TYPE,
  run: async ({ spec }, signal) => {
    const terms = spec?.vSwitchSelectorTerms ?? []
    const found = await mapLimit(
      terms,
      PARALLEL,
      async (term, inner) => {
        if (selectsNothing(term)) return []
        const { id, tags } = term
        const query = {
          RegionId: region,
          ...(id === undefined ? {} : { VSwitchId: id }),
          ...(tags === undefined ? {} : { Tag: tagQuery(tags) }),
        }
        return allVSwitches(api, query, inner)
      },
      signal,
    )
    addresses.learn(found.flat())
    const vSwitches = [...new Map(found.flat().map((each) => [each.VSwitchId, each])).values()]
      .toSorted((a, b) => (a.VSwitchId < b.VSwitchId ? -1 : 1))
      .map(({ VSwitchId: id, ZoneId: zoneID }) => ({ id, zoneID }))
    const problem = unmatchedText(
      'vSwitch',
      'vSwitchSelectorTerms',
      terms.filter((_, index) => (found[index] ?? []).length === 0),
    )
    if (vSwitches.length > 0)
      return {
        status: { vSwitches },
        condition: { type: TYPE, status: 'True', ...(problem === undefined ? {} : { message: problem }) },
        again: AGAIN,
      }
    return {
      status: { vSwitches: [] },
      condition: {
        type: TYPE,
        status: 'False',
        reason: 'vSwitchesNotFound',
        message: problem ?? 'spec.vSwitchSelectorTerms is empty',
      },
      again: MISSING_AGAIN,
    }
  },
})
