import { useStaleSince } from '../cluster/discovery.ts'
import { useT } from '../locales/use-t.ts'
import { Note } from './note.tsx'
import { momentText } from './show-time.tsx'
import { useNow } from './use-now.ts'

const EVERY = 10_000

/** Says that all figures of the page are old, while the API server does not respond. */
export const StaleNote = () => {
  const t = useT()
  const since = useStaleSince()
  const now = useNow(EVERY)
  return since === undefined ? null : <Note tone="warning">{t('staleSince', { time: momentText(since, now) })}</Note>
}
