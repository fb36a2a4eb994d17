import { Button, Typography } from '@mui/material'
import { useT } from '../locales/use-t.ts'
import type { TextProblem } from '../model/editing.ts'
import { Note } from '../parts/note.tsx'
import type { Outcome } from './save.ts'

/** What is wrong with the text, each problem with its place. */
export const Problems = ({ problems }: { readonly problems: readonly TextProblem[] }) => {
  const t = useT()
  return (
    <>
      <Typography variant="subtitle1">{t('problems')}</Typography>
      {problems.length === 0 ? (
        <Note tone="success">{t('noProblems')}</Note>
      ) : (
        <ol aria-label={t('problems')}>
          {problems.map(({ line, column, message }) => (
            <li key={`${line}:${column}:${message}`}>
              {t('atLine', { line, column })}: {message}
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

/** What the API server answered to the last try; `onRebase` compares with what is stored now. */
export const OutcomeNote = ({
  outcome,
  onRebase,
}: {
  readonly outcome: Outcome | undefined
  readonly onRebase: () => void
}) => {
  const t = useT()
  switch (outcome?.kind) {
    case undefined:
      return null
    case 'accepted':
      return <Note tone="success">{t('dryRunPassed')}</Note>
    case 'refused':
      return <Note tone="error">{outcome.message}</Note>
    case 'conflict':
      return (
        <Note tone="warning">
          {t('conflict')} <Button onClick={onRebase}>{t('rebase')}</Button>
        </Note>
      )
  }
}

/** Asks before changes are lost. */
export const UnsavedNote = ({ onDiscard, onKeep }: { readonly onDiscard: () => void; readonly onKeep: () => void }) => {
  const t = useT()
  return (
    <Note tone="warning">
      {t('unsaved')} <Button onClick={onDiscard}>{t('discard')}</Button>
      <Button onClick={onKeep}>{t('keepEditing')}</Button>
    </Note>
  )
}
