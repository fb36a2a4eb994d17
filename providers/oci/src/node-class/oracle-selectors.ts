import { anyText, mapField, object, optional, type Rule, text } from '@kerf/apis/schema'

/** OCINodeClass fields that select cloud resources. */

export const freeformTags = (description: string) => optional(mapField(anyText(), { description }))

/** A map of maps of strings, for defined tags or security attributes. */
export const namespaced = (description: string) =>
  optional(mapField(mapField(anyText(), { description: 'The values of one namespace by key.' }), { description }))

const HAS_NAME_OR_TAGS: Rule = {
  rule: 'has(self.displayName) || has(self.freeformTags) || has(self.definedTags)',
  message: 'the filter needs "displayName", "freeformTags" or "definedTags"',
}

/** A filter that must match exactly one resource. */
export const resourceFilter = (what: string, { isChecked }: { readonly isChecked: boolean }) =>
  optional(
    object(
      {
        compartmentId: optional(
          text({ description: `The OCID of the compartment of the ${what}. Absent: that of the settings.` }),
        ),
        displayName: optional(text({ description: `The display name of the ${what}.` })),
        freeformTags: freeformTags(`Free-form tags that the ${what} has.`),
        definedTags: namespaced(`Defined tags that the ${what} has, by namespace and key.`),
      },
      { description: `Selects a ${what} by name and tags.`, ...(isChecked ? { rules: [HAS_NAME_OR_TAGS] } : {}) },
    ),
  )

/** Returns the rule that requires exactly one of an OCID and a filter. */
export const exactlyOne = (id: string, filter: string): Rule => ({
  rule: `has(self.${id}) != has(self.${filter})`,
  message: `exactly one of "${id}" and "${filter}" is needed`,
})
