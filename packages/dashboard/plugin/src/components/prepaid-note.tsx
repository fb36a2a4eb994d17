import { Link } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { policyClasses, routes } from '../cluster/classes.ts'
import { useDiscovery } from '../cluster/discovery.ts'
import { useKindList } from '../cluster/use-list.ts'
import { useT } from '../locales/use-t.ts'
import { commitmentRows } from '../model/policies.ts'
import { servedKind } from '../model/served-kinds.ts'

const Served = () => {
  const t = useT()
  const { items } = useKindList(policyClasses.ClusterPolicy)
  const rows = commitmentRows((items ?? []).map(({ jsonData }) => jsonData))
  if (!rows.some(({ state }) => state === 'Active')) return null
  return (
    <>
      {'. '}
      <Link routeName={routes.policies}>{t('prepaidIncluded')}</Link>
    </>
  )
}

/**
 * Shows a note that a cost at the prices of the cloud includes prepaid capacity. Shows nothing if no commitment is
 * active.
 */
export const PrepaidNote = () =>
  servedKind(useDiscovery(), 'kerf.sh', 'ClusterPolicy') === undefined ? null : <Served />
