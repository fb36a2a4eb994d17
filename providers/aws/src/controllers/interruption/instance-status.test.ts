import { expect, test } from 'vitest'
import { statusCategories } from './instance-status.ts'

// EC2 lists a completed event for a week. Only the prefix of the description marks the event as completed (EC2 User Guide, scheduled events
// for instances).
test.each([
  ['The instance is scheduled for retirement', ['event_status']],
  ['[Canceled] The instance is scheduled for retirement', []],
  ['[Completed] The instance is scheduled for retirement', []],
  [undefined, ['event_status']],
])('a maintenance event with the text %s', (text, categories) => {
  const event = { Code: 'instance-retirement', ...(text !== undefined && { Description: text }) } as const
  expect(statusCategories({ Events: [event] }, 0)).toEqual(categories)
})

test('a completed event does not hide an upcoming one', () => {
  const over = { Code: 'system-reboot', Description: '[Canceled] a reboot' } as const
  const ahead = { Code: 'system-reboot', Description: 'a reboot' } as const
  expect(statusCategories({ Events: [over, ahead] }, 0)).toEqual(['event_status'])
})
