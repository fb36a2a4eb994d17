import { useStaleSince } from '../cluster/discovery.ts'
import { useT } from '../locales/use-t.ts'
import { Note } from './note.tsx'
import { momentText } from './show-time.tsx'
import { useNow } from './use-now.ts'

const EVERY = 10_000

/** Shows a note that all figures on the page are old. Shows nothing if the API server responds. */
export const StaleNote = () => {
  const t = useT()
  const since = useStaleSince()
  const now = useNow(EVERY)
  return since === undefined ? null : <Note tone="warning">{t('staleSince', { time: momentText(since, now) })}</Note>
}
