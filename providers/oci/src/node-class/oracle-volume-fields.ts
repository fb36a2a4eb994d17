import { object, optional, text, whole, yesNo } from '@kerf/apis/schema'
import { exactlyOne, freeformTags, namespaced } from './oracle-selectors.ts'

const imageFilter = object(
  {
    osFilter: text({ description: 'The operating system, for example Oracle Linux.' }),
    osVersionFilter: text({ description: 'The version of the operating system, for example 8.' }),
    compartmentId: optional(
      text({
        description:
          'The OCID of the compartment of the images. Absent: that of the setting PRE_BAKED_IMAGE_COMPARTMENT_ID.',
      }),
    ),
    freeformTags: freeformTags('Free-form tags that the image has.'),
    definedTags: namespaced('Defined tags that the image has, by namespace and key.'),
  },
  { description: 'Selects images. The newest one is preferred.' },
)

const imageConfig = object(
  {
    imageType: text({ description: 'How instances join the cluster. Only OKEImage can be launched.' }),
    imageFilter: optional(imageFilter),
    imageId: optional(text({ description: 'The OCID of the image.' })),
  },
  { description: 'The image.', rules: [exactlyOne('imageId', 'imageFilter')] },
)

/** The field `spec.volumeConfig` of OCINodeClass. */
export const volumeConfig = object(
  {
    bootVolumeConfig: object(
      {
        imageConfig,
        kmsKeyConfig: optional(
          object(
            { kmsKeyId: optional(text({ description: 'The OCID of the key.' })) },
            { description: 'The key that encrypts the boot volume. Absent: a key of Oracle.' },
          ),
        ),
        sizeInGBs: optional(
          whole({ description: 'The size in GB. Absent: the size of the image.', format: 'int64', minimum: 1 }),
        ),
        vpusPerGB: optional(
          whole({
            description: 'The performance in VPU per GB: 10, 20 or from 30 to 120. Absent: 10.',
            format: 'int64',
            rules: [
              {
                rule: 'self == 10 || self == 20 || (self >= 30 && self <= 120)',
                message: '"vpusPerGB" must be 10, 20 or a number from 30 to 120',
              },
            ],
          }),
        ),
        pvEncryptionInTransit: optional(
          yesNo({ description: 'Whether data between the instance and its boot volume is encrypted. Absent: no.' }),
        ),
      },
      { description: 'The boot volume.' },
    ),
  },
  { description: 'The volumes of each instance.' },
)
