import { useT } from '../locales/use-t.ts'
import { type Fullness, requestedShare } from '../model/fullness.ts'

/** Returns a share in percent, or a dash if it is unknown. */
export const percentText = (share: number | undefined): string =>
  share === undefined ? '–' : `${Math.round(share * 100)} %`

/**
 * Returns the number by which nodes are sorted: first by the fuller of the two resources, then by the other one. Different texts have
 * different numbers, because tables render a cell again only if its value has changed.
 */
export const fullnessOrder = (fullness: Fullness | undefined): number => {
  if (fullness === undefined) return -1
  const [cpu, memory] = [requestedShare(fullness, 'cpu') ?? 0, requestedShare(fullness, 'memory') ?? 0]
  return Math.max(cpu, memory) + Math.min(cpu, memory) / 1e4
}

/** Shows the requested shares of CPU and memory. */
export const FullnessText = ({ fullness }: { readonly fullness: Fullness | undefined }) => {
  const t = useT()
  if (fullness === undefined) return <span>–</span>
  const [cpu, memory] = [percentText(requestedShare(fullness, 'cpu')), percentText(requestedShare(fullness, 'memory'))]
  return (
    <span title={t('fullnessOf', { cpu, memory })} style={{ whiteSpace: 'nowrap' }}>
      {`${cpu} / ${memory}`}
    </span>
  )
}
