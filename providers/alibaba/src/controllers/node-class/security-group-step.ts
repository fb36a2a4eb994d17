import type { Step } from '@kerf/provider-kit'
import { mapLimit } from '@kerf/runtime'
import type { AlibabaApi } from '../../api/actions.ts'
import { allSecurityGroups } from '../../api/pages.ts'
import type { ECSNodeClass } from '../../node-class/ecs-node-class.ts'
import { selectsNothing, tagQuery, unmatchedText } from './selector-query.ts'

const TYPE = 'SecurityGroupsReady'
const AGAIN = 300_000
const MISSING_AGAIN = 15_000
const PARALLEL = 4

/** Finds the security groups of a node class, sorted by ID (`providers/alibaba/docs/spec/alibaba.md#status`). */
export const securityGroupStep = ({
  api,
  region,
}: {
  readonly api: AlibabaApi
  readonly region: string
}): Step<ECSNodeClass> => ({
  condition: TYPE,
  run: async ({ spec }, signal) => {
    const terms = spec?.securityGroupSelectorTerms ?? []
    const found = await mapLimit(
      terms,
      PARALLEL,
      async (term, inner) => {
        if (selectsNothing(term)) return []
        const { id, name, tags } = term
        const query = {
          RegionId: region,
          ...(id === undefined ? {} : { SecurityGroupId: id }),
          ...(name === undefined ? {} : { SecurityGroupName: name }),
          ...(tags === undefined ? {} : { Tag: tagQuery(tags) }),
        }
        return allSecurityGroups(api, query, inner)
      },
      signal,
    )
    const groups = [...new Map(found.flat().map((each) => [each.SecurityGroupId, each])).values()]
      .toSorted((a, b) => (a.SecurityGroupId < b.SecurityGroupId ? -1 : 1))
      .map(({ SecurityGroupId: id, SecurityGroupName: name }) => ({ id, ...(name === undefined ? {} : { name }) }))
    const problem = unmatchedText(
      'security group',
      'securityGroupSelectorTerms',
      terms.filter((_, index) => (found[index] ?? []).length === 0),
    )
    if (groups.length > 0)
      return {
        status: { securityGroups: groups },
        condition: { type: TYPE, status: 'True', ...(problem === undefined ? {} : { message: problem }) },
        again: AGAIN,
      }
    return {
      status: { securityGroups: [] },
      condition: {
        ...{ type: TYPE, status: 'False', reason: 'SecurityGroupsNotFound' },
        message: problem ?? 'spec.securityGroupSelectorTerms is empty',
      },
      again: MISSING_AGAIN,
    }
  },
})
